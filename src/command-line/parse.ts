import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Command, Options } from './command.ts';
import { optionsOf } from './common-options.ts';
import { guess } from './input/guess.ts';
import { UsageError } from './input/usage-error.ts';
import type { OptionValues } from './invocation.ts';

export interface Parsed {
  readonly names: readonly string[];
  readonly options: OptionValues;
}

/** @throws UsageError for anything that the command does not accept. */
export function parse(command: Command, args: readonly string[]): Parsed {
  const known = optionsOf(command);
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
    return { names: positionals, options: spelled(known, values) as OptionValues };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${mistake(error as Error, Object.keys(known))}: jobgate ${command.name} -h`,
    );
  }
}

/** @throws UsageError for too many or too few arguments. */
export function checkNames(
  { name, takes, count: [least, most] }: Command,
  names: readonly string[],
): void {
  if (names.length >= least && names.length <= most) return;
  throw new UsageError(`Usage: ${`jobgate ${name} ${takes}`.trimEnd()}`);
}

/** The values in the spelling of the option, in lowercase. @throws UsageError for a value that it does not accept. */
function spelled(known: Options, values: Readonly<Record<string, unknown>>) {
  const checked: Record<string, unknown> = { ...values };
  for (const [option, given] of Object.entries(values)) {
    const offered = known[option]?.offered;
    if (offered === undefined || typeof given !== 'string') continue;
    const isList = known[option]?.value === 'list';
    const text = given.toLowerCase();
    checked[option] = text;
    for (const value of isList ? text.split(',').map((word) => word.trim()) : [text]) {
      if (offered.includes(value) || (isList && ['', 'all'].includes(value))) continue;
      const meant = guess(value, offered);
      const hint = meant === undefined ? '' : `, did you mean ${meant}?`;
      throw new UsageError(`--${option} takes ${offered.join(', ')}, not ${value}${hint}`);
    }
  }
  return checked;
}

function mistake({ message }: Error, known: readonly string[]): string {
  const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
  const [, valued] =
    /^Option '(--[^ ']+)[^']*' argument (?:missing|is ambiguous)/.exec(message) ?? [];
  if (valued !== undefined) return `${valued} needs a value, such as ${valued}=…`;
  if (unknown === undefined) return (message.split(/\. |\n/)[0] ?? message).replace(/\.$/, '');
  const meant = guess(unknown.replace(/^-+/, ''), known);
  return `There is no option ${unknown}${meant === undefined ? '' : `, did you mean --${meant}?`}`;
}
