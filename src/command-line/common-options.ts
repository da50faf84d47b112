import type { Command, Options } from './command.ts';

/** Options of every command. */
export const COMMON: Options = {
  json: { meaning: 'print JSON for programs' },
  context: { value: 'name', meaning: 'the service of this name, see `jobgate login`' },
  url: { value: 'url', meaning: 'where the service is' },
  token: { value: 'token', meaning: 'an API token; other users of the machine may see it here' },
  help: { meaning: 'print this (-h)' },
};

const WATCH: Options = { watch: { meaning: 'print it again every two seconds, until Ctrl-C' } };

/** The options of a command, its own first. */
export function optionsOf({ options, isWatchable }: Command): Options {
  return { ...options, ...(isWatchable === true && WATCH), ...COMMON };
}
