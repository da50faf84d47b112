import { entry } from '../../clients/command-line/output/entry.ts';
import { allVariables, type Variable } from './config/variables.ts';
import { version } from './version.ts';

const GROUPS = [...new Set(allVariables.map(({ group }) => group))];

const COLUMN = 26;
const LINK = /\[([^\]]+)\]\([^)]+\)/g;

/** What `jobgate help service` prints. */
export function serviceHelp(): string {
  return `jobgate ${version()}: without a command, it serves until SIGTERM.

Environment variables configure the service; defaults are in parentheses.

${GROUPS.map(groupText).join('\n')}`;
}

function groupText(title: string): string {
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
