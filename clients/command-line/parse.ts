import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Command } from './command.ts';
import { optionsOf, type NamedOptions } from './common-options.ts';
import { guess } from './input/guess.ts';
import { UsageError } from './input/usage-error.ts';
import type { OptionValues } from './invocation.ts';

export interface Parsed {
  readonly names: readonly string[];
  readonly options: OptionValues;
}

/** @throws UsageError for anything that the command does not accept. */
export function parse(command: Command, args: readonly string[]): Parsed {
  const shown = optionsOf(command);
  const known = withFormerNames(shown);
  const declared = Object.entries(known).map(([option, { value, isRepeatable = false }]) => {
    const type = value === undefined ? 'boolean' : 'string';
    return [option, { type, multiple: isRepeatable, ...(option === 'help' && { short: 'h' }) }];
  });
  const config: ParseArgsConfig = {
    args: [...args],
    options: Object.fromEntries(declared) as NonNullable<ParseArgsConfig['options']>,
    allowPositionals: true,
  };
  try {
    const { values, positionals } = parseArgs(config);
    refuseEmpty(known, values);
    const checked = spelled(known, values);
    return { names: positionals, options: renamed(shown, checked) as OptionValues };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(mistake(error as Error, shown, known, `jobgate ${command.name} -h`));
  }
}

/** Arguments that become a segment of a path, in which a dot or two would select another path. */
const SEGMENT = /queue|job|group|id/;

/** @throws UsageError for too many or too few arguments, and for those that name nothing. */
export function checkNames({ takes, ...command }: Command, names: readonly string[]): void {
  const usage = `jobgate ${command.usage}`;
  const words = takes.map((word) => word.replace('...', ''));
  const missing = words[names.length] ?? '';
  if (missing.startsWith('<')) throw new UsageError(`${missing} is missing: ${usage}`);
  const most = takes.at(-1)?.endsWith('...') === true ? Infinity : takes.length;
  if (names.length > most) throw new UsageError(`Unexpected argument ${names[most]}: ${usage}`);
  for (const [index, text] of names.entries()) {
    const word = words[index] ?? words.at(-1) ?? '';
    if (text === '') throw new UsageError(`${word} must not be empty: ${usage}`);
    if (/^\.\.?$/.test(text) && SEGMENT.test(word))
      throw new UsageError(`${word} must not be ${text}: ${usage}`);
  }
}

function withFormerNames(options: NamedOptions): NamedOptions {
  const former = Object.values(options).flatMap((option) =>
    option.formerly === undefined ? [] : [[option.formerly, option] as const],
  );
  return { ...options, ...Object.fromEntries(former) };
}

/** The values by the present names of their options. @throws UsageError for one that is given by both. */
function renamed(shown: NamedOptions, values: Readonly<Record<string, unknown>>) {
  const present: Record<string, unknown> = { ...values };
  for (const [option, { formerly = '' }] of Object.entries(shown)) {
    if (values[formerly] === undefined) continue;
    if (values[option] !== undefined)
      throw new UsageError(`--${formerly} is the earlier name of --${option}: give one of them`);
    present[option] = values[formerly];
  }
  return present;
}

/** The values in the spelling of the option, in lowercase. @throws UsageError for a value that it does not accept. */
function spelled(known: NamedOptions, values: Readonly<Record<string, unknown>>) {
  const checked: Record<string, unknown> = { ...values };
  for (const [option, given] of Object.entries(values)) {
    const offered = known[option]?.offered;
    if (offered === undefined || typeof given !== 'string') continue;
    const isList = known[option]?.value === 'list';
    const text = given.toLowerCase();
    checked[option] = text;
    for (const value of isList ? text.split(',').map((word) => word.trim()) : [text]) {
      if (offered.includes(value)) continue;
      const meant = guess(value, offered);
      const hint = meant === undefined ? '' : `, did you mean ${meant}?`;
      throw new UsageError(`--${option} takes ${offered.join(', ')}, not ${value}${hint}`);
    }
  }
  return checked;
}

/** @throws UsageError for an option whose value is empty. */
function refuseEmpty(known: NamedOptions, values: Readonly<Record<string, unknown>>): void {
  for (const [option, given] of Object.entries(values)) {
    if (known[option]?.mayBeEmpty === true) continue;
    const isEmpty = Array.isArray(given) ? given.includes('') : given === '';
    if (isEmpty) throw new UsageError(`--${option} must not be empty`);
  }
}

/**
 * Describes the mistake in an option, in place of the message of the parser.
 *
 * @param shown the options to suggest, of all that are known.
 * @param help the command that lists them.
 */
function mistake(
  { message }: Error,
  shown: NamedOptions,
  known: NamedOptions,
  help: string,
): string {
  const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
  const [, valued] =
    /^Option '--([^ ']+)[^']*' argument (?:missing|is ambiguous)/.exec(message) ?? [];
  const [, flag] = /^Option '(?:-\w, )?(--[^ ']+)' does not take an argument/.exec(message) ?? [];
  if (flag !== undefined) return `${flag} takes no value: ${help}`;
  if (valued !== undefined)
    return `--${valued} needs a value, such as --${valued}=<${known[valued]?.value}>: ${help}`;
  if (unknown === undefined)
    return `${(message.split(/\. |\n/)[0] ?? message).replace(/\.$/, '')}: ${help}`;
  const meant = guess(unknown.replace(/^-+/, ''), Object.keys(shown));
  return `There is no option ${unknown}: ${meant === undefined ? help : `did you mean --${meant}?`}`;
}
