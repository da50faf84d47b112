import type { Command, Options } from './command.ts';

/** Options of every command. */
export const COMMON: Options = {
  json: { meaning: 'print JSON instead of text' },
  context: { value: 'name', meaning: 'service that jobgate login saved under this name' },
  url: { value: 'url', meaning: 'URL of the service' },
  token: {
    value: 'token',
    meaning: 'API token; other users of the machine may see it on the command line',
  },
  help: { meaning: 'print this help (-h)' },
};

const WATCH: Options = { watch: { meaning: 'repeat every two seconds, until Ctrl-C' } };

/** The options of a command, its own first. */
export function optionsOf({ options, isWatchable }: Command): Options {
  return { ...options, ...(isWatchable === true && WATCH), ...COMMON };
}
