import { allVariables, type Variable, type VariableGroup } from './config/variables.ts';
import { version } from './version.ts';

const GROUPS: readonly VariableGroup[] = [
  'Service',
  'Store',
  'Queues and workers',
  'Calls to endpoints',
];

/** What `jobgate help service` prints. */
export function serviceHelp(): string {
  return `jobgate ${version()}: without a command it serves until SIGTERM.

Environment variables set everything; defaults in parentheses.

${GROUPS.map(groupText).join('\n')}`;
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
