import { coloured, type Colour } from './marks.ts';
import type { Moment } from './times.ts';
import { cut, widthOf } from './width.ts';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string | number | Moment;
  /** Whether to cut long texts when the terminal is too narrow. Other cells stay whole. */
  readonly isCut?: true;
  /** Whether to omit the column when every row is empty, or 0. */
  readonly isOptional?: true;
  readonly colour?: (row: Row) => Colour | undefined;
}

const GAP = '  ';
/** Minimum width of a column. */
const NARROWEST = 8;

/**
 * Aligned lines. @param width of the terminal, which the lines fit if enough cells may be cut; unlimited without one.
 */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = Infinity,
): string {
  const shown = columns.filter(
    ({ isOptional, cell }) =>
      isOptional !== true || rows.some((row) => !['', '0'].includes(textOf(cell(row), 'whole'))),
  );
  const heads = shown.map(({ head }) => head);
  const whole = shown.map(({ cell }) => rows.map((row) => lineOf(textOf(cell(row), 'whole'))));
  const fits = totalOf(widthsOf(heads, whole)) <= width;
  const texts = fits
    ? whole
    : shown.map(({ cell }) => rows.map((row) => lineOf(textOf(cell(row), 'short'))));
  const widths = narrowed(shown, heads, widthsOf(heads, texts), width);
  const line = (cells: readonly string[], paint: (column: number) => Colour | undefined): string =>
    cells
      .map((cell, column) => {
        const text = cut(cell, widths[column] ?? 0);
        const isLast = column === cells.length - 1;
        const padding = isLast ? '' : ' '.repeat((widths[column] ?? 0) - widthOf(text));
        return coloured(text, paint(column)) + padding;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(heads, () => 'dim'),
    ...rows.map((row, index) =>
      line(
        texts.map((column) => column[index] ?? ''),
        (column) => shown[column]?.colour?.(row),
      ),
    ),
  ].join('\n');
}

function textOf(cell: string | number | Moment, form: keyof Moment): string {
  return typeof cell === 'object' ? cell[form] : String(cell);
}

/** A cell is always a single line. */
function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function widthsOf(
  heads: readonly string[],
  texts: readonly (readonly string[])[],
): readonly number[] {
  return heads.map((head, column) =>
    (texts[column] ?? []).reduce((most, text) => Math.max(most, widthOf(text)), widthOf(head)),
  );
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length);
}

/** Narrows the widest of the columns that may be cut, until all fit or none can shrink further. */
function narrowed<Row>(
  columns: readonly Column<Row>[],
  heads: readonly string[],
  widths: readonly number[],
  width: number,
): readonly number[] {
  const narrower = [...widths];
  for (let excess = totalOf(narrower) - width; excess > 0; excess -= 1) {
    let widest = -1;
    for (const [index, { isCut }] of columns.entries()) {
      const least = Math.max(NARROWEST, widthOf(heads[index] ?? ''));
      if (isCut !== true || (narrower[index] ?? 0) <= least) continue;
      if (widest === -1 || (narrower[index] ?? 0) > (narrower[widest] ?? 0)) widest = index;
    }
    if (widest === -1) break;
    narrower[widest] = (narrower[widest] ?? 0) - 1;
  }
  return narrower;
}
