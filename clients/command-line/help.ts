import type { Command } from './command.ts';
import { commonOptions, optionsOf, type NamedOptions } from './common-options.ts';
import { commands, commandsByTitle } from './commands.ts';
import { entry, HELP_WIDTH } from './output/entry.ts';
import { wrapped } from './output/width.ts';

const [COMMAND_COLUMN, OPTION_COLUMN] = [20, 24];

/** The output of `jobgate help`, `jobgate --help` and `jobgate -h`. @param version of the program. */
export function helpText(version: string): string {
  const titles = commandsByTitle.map(([title, group]) => {
    return `${title}\n${group.map(({ name, summary }) => entry(name, summary, COMMAND_COLUMN)).join('\n')}`;
  });
  return `jobgate ${version}: an HTTP gateway to job queues

Usage: jobgate                       start the service, which runs until SIGTERM
       jobgate <command> [options]   send a command to a service
       jobgate help <command>        explain a command, like <command> -h
       jobgate help service          list the environment variables it reads

${titles.join('\n\n')}

Options of every command
${optionLines(commonOptions)}

JOBGATE_URL (http://localhost:8080) and JOBGATE_TOKEN also select the service;
jobgate login saves both. NO_COLOR disables colours. The exit code is 0 on
success, 1 after an error, and 2 for a mistake in the command line.`;
}

/** The output of `jobgate help retry` and `jobgate retry -h`. */
export function commandHelp(command: Command): string {
  const { usage, summary, details, examples = [] } = command;
  const about = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return [
    `Usage: jobgate ${usage} [options]`,
    wrapped(details === undefined ? about : `${about} ${details}`, HELP_WIDTH).join('\n'),
    optionLines(optionsOf(command)),
    ...(examples.length === 0
      ? []
      : [`Examples\n${examples.map((each) => `  jobgate ${each}`).join('\n')}`]),
  ].join('\n\n');
}

/** The output of `jobgate help workers`. */
export function nounHelp(noun: string): string {
  const group = commands.filter(({ name }) => name.startsWith(`${noun} `));
  const lines = group.map(({ usage, summary }) => entry(usage, summary, 40));
  return `Usage: jobgate ${noun} <command> [options]\n\n${lines.join('\n')}\n\njobgate help ${noun} <command> explains a command.`;
}

function optionLines(options: NamedOptions): string {
  return Object.entries(options)
    .map(([name, { value, meaning }]) => {
      const typed = value === undefined ? `--${name}` : `--${name} <${value}>`;
      return entry(typed, meaning, OPTION_COLUMN);
    })
    .join('\n');
}
