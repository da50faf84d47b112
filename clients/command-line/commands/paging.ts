import { asking, type Asking } from '../asking.ts';
import type { Declaration, Options } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import type { Column } from '../output/table.ts';

/** The options of a list. @param byDefault how many rows it shows. */
export const PAGE = (byDefault: number): Options => ({
  'limit <n>': `maximum entries to list (${byDefault})`,
  'skip <n>': 'entries to skip at the start (0)',
});

/** How many rows a list shows by default. */
const LENGTH = 100;

type Page<Rows extends string, Row> = Readonly<Record<Rows, readonly Row[]>> & {
  readonly total: number;
};

interface Listing<Rows extends string, Row> extends Omit<Asking<unknown>, 'done' | 'shows'> {
  /** The field of the answer that has the rows, which is their name in words too if it has no `things`. */
  readonly rows: Rows;
  readonly things?: string;
  readonly columns: readonly Column<Row>[];
  /** The text without rows. */
  readonly none: (call: Invocation) => string;
}

/** A command that lists a page of the entries that the service has. */
export function listing<Rows extends string, Row>({
  rows,
  things = rows,
  columns,
  none,
  query,
  ...declared
}: Listing<Rows, Row>): Declaration {
  return asking<Page<Rows, Row>>({
    ...declared,
    options: { ...declared.options, ...PAGE(LENGTH) },
    query: (call) => ({
      ...query?.(call),
      start: call.number('skip'),
      length: call.number('limit') ?? LENGTH,
    }),
    shows: (page, call) =>
      call.table(columns, page[rows], none(call)) +
      restOf(page[rows].length, call.number('skip') ?? 0, page.total, things),
  });
}

/** A hint when the table does not show everything. */
function restOf(shown: number, skipped: number, total: number, things: string): string {
  if (shown === 0 || shown + skipped >= total) return '';
  return `\n${skipped + 1} to ${skipped + shown} of ${total} ${things}: --skip ${skipped + shown} shows more`;
}
