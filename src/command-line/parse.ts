import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Command } from './command.ts';
import { optionsOf } from './common-options.ts';
import { guess } from './input/guess.ts';
import { UsageError } from './input/usage-error.ts';
import type { OptionValues } from './invocation.ts';

export interface Parsed {
  readonly names: readonly string[];
  readonly options: OptionValues;
}

/** @throws UsageError for what the command does not understand. */
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
    return { names: positionals, options: values as OptionValues };
  } catch (error) {
    throw new UsageError(
      `${mistake(error as Error, Object.keys(known))}: jobgate ${command.name} -h`,
    );
  }
}

/** @throws UsageError when there are too many names, or too few. */
export function checkNames(
  { name, takes, count: [least, most] }: Command,
  names: readonly string[],
): void {
  if (names.length >= least && names.length <= most) return;
  throw new UsageError(`Usage: ${`jobgate ${name} ${takes}`.trimEnd()}`);
}

function mistake({ message }: Error, known: readonly string[]): string {
  const [, unknown] = /^Unknown option '(--?[^']*)'/.exec(message) ?? [];
  if (unknown === undefined) return (message.split(/\. |\n/)[0] ?? message).replace(/\.$/, '');
  const meant = guess(unknown.replace(/^-+/, ''), known);
  return `There is no option ${unknown}${meant === undefined ? '' : `, did you mean --${meant}?`}`;
}
