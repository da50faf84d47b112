import type { Command, Described, Options } from './command.ts';

/** An option by its name; `value` names its value, if it takes one. */
export interface Option extends Described {
  readonly value?: string;
}

export type NamedOptions = Readonly<Record<string, Option>>;

/** Options of every command. */
const COMMON: Options = {
  json: 'print JSON instead of text',
  'context <name>': 'service that jobgate login saved under this name',
  'url <url>': 'URL of the service',
  'token <token>': 'API token; other users of the machine may see it on the command line',
  help: 'print this help (-h)',
};

const WATCH: Options = { watch: 'repeat every two seconds, until Ctrl-C' };

/** The options of a command, its own first. */
export function optionsOf({ options, isWatchable }: Command): NamedOptions {
  return byName({ ...options, ...(isWatchable === true && WATCH), ...COMMON });
}

export const commonOptions: NamedOptions = byName(COMMON);

export function byName(options: Options): NamedOptions {
  const named = Object.entries(options).map(([typed, option]): [string, Option] => {
    const [, name = '', value] = /^([\w-]+)(?: <(.*)>)?$/.exec(typed) ?? [];
    const described = typeof option === 'string' ? { meaning: option } : option;
    return [name, { ...described, ...(value !== undefined && { value }) }];
  });
  return Object.fromEntries(named);
}
