import { minorOf } from './release-version.ts';

const FIRST_CELL = /^\| (\d+\.\d+) +\|/m;

/**
 * The page of compatibility as it is with a new version. The first row of the table describes the version that is being
 * made. Its number follows the release; where its own is out already, the row of the new version comes above it.
 *
 * @param released the versions that are out.
 * @throws Error when the table is not there.
 */
export function compatibilityPage(
  page: string,
  version: string,
  released: readonly string[],
): string {
  const lines = page.split('\n');
  const index = lines.findIndex((line) => FIRST_CELL.test(line));
  const row = lines[index];
  if (row === undefined) throw new Error('docs/compatibility.md has no table of versions');
  const before = FIRST_CELL.exec(row)?.[1] ?? '';
  const minor = minorOf(version);
  if (before === minor) return page;
  const isOut = released.some((other) => minorOf(other) === before);
  const earlier = isOut ? before : FIRST_CELL.exec(lines[index + 1] ?? '')?.[1];
  const neighbours = [minor, ...(earlier === undefined ? [] : [earlier])].join(', ');
  const [, , , , ...rest] = row.split('|');
  const made = `| ${[minor, neighbours, neighbours].join(' | ')} |${rest.join('|')}`;
  lines.splice(index, isOut ? 0 : 1, made);
  return lines.join('\n');
}
