import type { ComponentChildren, VNode } from 'preact';
import { pageLink, query, route } from '../navigation/route.ts';
import { isHidden } from './hidden-columns.tsx';

export interface Column<Row> {
  readonly label: string;
  /** Replaces the label. */
  readonly heading?: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** The value of `sort` that sorts by this column. */
  readonly sort?: string;
  /** On a phone: shown beside the name of the row, or with its label as numbers and times are, or hidden. */
  readonly phone?: 'beside' | 'labelled' | 'hidden';
}

export interface TableProperties<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isStale?: boolean;
  readonly defaultSort?: string;
}

/**
 * Rows of the same kind. On a phone each row becomes a few lines with the names of the columns; if a table is still too
 * wide, it scrolls by itself.
 */
export function Table<Row>({
  label,
  columns: all,
  rows,
  keyOf,
  isStale = false,
  defaultSort,
}: TableProperties<Row>): VNode {
  const columns = all.filter((column) => !isHidden(label, column.label));
  const kinds = columns.map(kindOf);
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table aria-busy={isStale} class={isStale ? 'stale' : undefined}>
        <thead>
          <tr>{columns.map((column) => headingOf(column, defaultSort))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row>
              {columns.map((column, index) => (
                <td key={column.label} data-label={column.label} class={kinds[index]}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The class of the cells of a column. */
function kindOf<Row>({ isNumber, phone }: Column<Row>): string | undefined {
  const kinds = [isNumber === true && 'numeric', phone !== undefined && `phone-${phone}`];
  return kinds.filter((kind) => kind !== false).join(' ') || undefined;
}

function headingOf<Row>(column: Column<Row>, defaultSort: string | undefined): VNode {
  const { label, heading = label, sort, isNumber } = column;
  const kind = isNumber === true ? 'numeric' : undefined;
  if (sort === undefined) {
    return (
      <th key={label} scope="col" class={kind}>
        {heading}
      </th>
    );
  }
  const parameters = Object.fromEntries(query.value);
  const isChosen = (parameters['sort'] ?? defaultSort) === sort;
  // Names sort from the first, numbers from the largest.
  const natural = isNumber === true ? 'desc' : 'asc';
  const order = parameters['order'] ?? natural;
  const reversed = order === 'asc' ? 'desc' : 'asc';
  const next = isChosen ? reversed : natural;
  const link = pageLink(route.value, {
    ...parameters,
    sort,
    order: next === natural ? undefined : next,
    start: undefined,
  });
  const chosen = order === 'asc' ? 'ascending' : 'descending';
  return (
    <th key={label} scope="col" class={kind} aria-sort={isChosen ? chosen : undefined}>
      <a href={link}>{label}</a>
    </th>
  );
}
