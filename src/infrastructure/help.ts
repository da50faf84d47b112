import { allVariables, type Variable, type VariableGroup } from './config/variables.ts';
import { commandsText } from '../command-line/help.ts';
import { version } from './version.ts';

const GROUPS: readonly VariableGroup[] = [
  'Service',
  'Store',
  'Queues and workers',
  'Calls to endpoints',
];

/** What `--help` prints. */
export function helpText(): string {
  return `jobgate ${version()}: an HTTP gateway to job queues

Usage: jobgate [--help | --version]
       jobgate <command> [options]

Without a command it serves until SIGTERM. Everything is set by environment variables; defaults in parentheses.

${GROUPS.map(groupText).join('\n')}
Commands for a service that runs, at JOBGATE_URL with JOBGATE_TOKEN; jobgate help <command> explains one
${commandsText()}
`;
}

function groupText(title: VariableGroup): string {
  const lines = allVariables.filter(({ group }) => group === title).map(line);
  return `${title}\n${lines.join('\n')}\n`;
}

function line(variable: Variable): string {
  const { name, meaning, default: byDefault = variable.otherwise } = variable;
  const text = byDefault === undefined ? meaning : `${meaning} (${byDefault})`;
  return `  ${name.padEnd(26)}${text.replaceAll('`', '')}`;
}
