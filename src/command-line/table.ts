/** Longest text of a cell, except in the last column. */
const MAX_CELL = 80;

/** Lines of columns, as wide as what is in them; the last one ends each line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [
    head,
    ...rows.map((row) => row.map((text, column) => cell(text, column === head.length - 1))),
  ];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A cell is one line. */
function cell(text: string, isLast: boolean): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > MAX_CELL && !isLast ? `${line.slice(0, MAX_CELL - 3)}...` : line;
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** A time in its largest unit, such as `12 min`. @param ms milliseconds. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => ms >= each) ?? (['ms', 1] as const);
  return `${Math.floor(ms / size)} ${unit}`;
}

/**
 * The local time and its difference from UTC, such as `2026-01-31 08:40:17 +01:00`, which options that take a time
 * understand as well.
 *
 * @param ms milliseconds since 1970.
 */
export function time(ms: number | undefined): string {
  if (ms === undefined) return '';
  const offset = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + offset * 60_000).toISOString().replace('T', ' ').slice(0, 19);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${local} ${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

export function jobCount(count: number): string {
  return count === 1 ? '1 job' : `${count} jobs`;
}
