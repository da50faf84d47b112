import type { ComponentChildren, VNode } from 'preact';
import type { Resource } from '../api/resource.ts';
import { Read } from './page.tsx';
import { Table, type TableProperties } from './table.tsx';

/** Shows the rows of an answer as a table, and `none` while it has no row. */
export function List<T, Row>({
  of,
  rowsOf,
  none,
  around = (table) => table,
  ...table
}: Omit<TableProperties<Row>, 'rows' | 'isStale'> & {
  readonly of: Resource<T>;
  readonly rowsOf: (data: T) => readonly Row[];
  readonly none: ComponentChildren;
  /** Puts more above or below the table. */
  readonly around?: (table: VNode, data: T) => ComponentChildren;
}): VNode {
  return (
    <Read of={of}>
      {(data) => {
        const rows = rowsOf(data);
        return rows.length === 0
          ? none
          : around(<Table {...table} rows={rows} isStale={of.isBusy} />, data);
      }}
    </Read>
  );
}
