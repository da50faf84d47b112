import { entry } from '../../clients/command-line/output/entry.ts';
import { allVariables, type Variable, type VariableGroup } from './config/variables.ts';
import { version } from './version.ts';

const GROUPS: readonly VariableGroup[] = [
  'Service',
  'Store',
  'Queues and workers',
  'Calls to endpoints',
];

const COLUMN = 26;
const LINK = /\[([^\]]+)\]\([^)]+\)/g;

/** What `jobgate help service` prints. */
export function serviceHelp(): string {
  return `jobgate ${version()}: without a command, it serves until SIGTERM.

Environment variables configure the service; defaults are in parentheses.

${GROUPS.map(groupText).join('\n')}`;
}

function groupText(title: VariableGroup): string {
  const lines = allVariables.filter(({ group }) => group === title).map(line);
  return `${title}\n${lines.join('\n')}\n`;
}

function line(variable: Variable): string {
  const { name, meaning, otherwise: byDefault = variable.default } = variable;
  const text = byDefault === undefined ? meaning : `${meaning} (${byDefault})`;
  return entry(name, plain(text), COLUMN);
}

/** Markdown as a terminal shows it: links and code as their text. */
function plain(markdown: string): string {
  return markdown.replace(LINK, '$1').replaceAll('`', '');
}
