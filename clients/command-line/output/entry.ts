import { wrapped } from './width.ts';

/** How many columns the lines of a help may take. */
export const HELP_WIDTH = 80;

/** A term, and its meaning in a column of its own; a term that is too long for its column has a line of its own. */
export function entry(term: string, meaning: string, column: number): string {
  const lines = wrapped(meaning, HELP_WIDTH - column - 2);
  const indent = ' '.repeat(column + 2);
  const isLong = term.length > column - 2;
  const [first = '', ...rest] = lines;
  const head = isLong ? `  ${term}\n${indent}${first}` : `  ${term.padEnd(column)}${first}`;
  return [head, ...rest.map((line) => indent + line)].join('\n');
}
