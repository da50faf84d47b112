import type { Command, Option } from './command.ts';
import { commands, commonOptions } from './commands.ts';

/** The commands, a line each. */
export function commandsText(): string {
  return commands
    .map(({ name, takes, summary }) => `  ${`${name} ${takes}`.padEnd(26)}${summary}`)
    .join('\n');
}

/** What `jobgate help` prints. */
export function helpText(): string {
  return `Usage: jobgate <command> [options]

Commands for a running service, over its REST API:

${commandsText()}
  ${'help [command]'.padEnd(26)}explain a command

  JOBGATE_URL     where the service is (http://localhost:8080)
  JOBGATE_TOKEN   an API token, one of its AUTH_TOKENS

--json prints JSON for programs. The exit code is 0, 1 after an error, and 2 for an invalid command line. Without a
command, jobgate is the service: see jobgate --help.`;
}

/** What `jobgate help retry` prints. */
export function commandHelp({ name, takes, summary, details, options = {} }: Command): string {
  const lines = Object.entries({ ...options, ...commonOptions }).map(([option, each]) => {
    return `  ${typed(option, each).padEnd(22)}${each.meaning}`;
  });
  const about = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return `Usage: jobgate ${name} ${takes} [options]

${details === undefined ? about : `${about} ${details}`}

${lines.join('\n')}`;
}

function typed(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}
