import { BOUNDS } from './bounds.ts';

/** What clients can create and how many of it there can be, as a table in Markdown. */
export function boundsTable(): string {
  const rows = BOUNDS.map(({ what, most, beyond }) => `| ${what} | ${most} | ${beyond} |`);
  return ['| What | Most | Beyond |', '| --- | --- | --- |', ...rows].join('\n');
}
