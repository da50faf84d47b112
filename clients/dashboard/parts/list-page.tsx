import type { ComponentChildren, VNode } from 'preact';
import { asCurl } from '../api/curl.ts';
import type { ApiRequest } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { exactNumber } from '../format/number.tsx';
import { Commands } from './commands.tsx';
import { List } from './list.tsx';
import { Page } from './page.tsx';
import type { Column } from './table.tsx';

/** All things of one kind, of which the service has a bounded number. */
interface Listed<Data, Row> {
  /** The heading of the page: their name, capitalized. */
  readonly title: string;
  /** Of the list in the API. */
  readonly path: string;
  /** How often to read them, in milliseconds. */
  readonly every: number;
  /** How many there may be. */
  readonly most: number;
  /** Their purpose. A page without any shows it, with the request that makes the first one. */
  readonly meaning: string;
  readonly first: ApiRequest;
  readonly rowsOf: (data: Data) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** The button that makes one. */
  readonly adding: (saved: () => void) => ComponentChildren;
}

/** The page that lists them. */
export function listPage<Data extends { readonly total: number }, Row>({
  title,
  path,
  every,
  most,
  meaning,
  first,
  adding,
  ...list
}: Listed<Data, Row>): () => VNode {
  return function ListPage() {
    const listed = useResource<Data>(path, every);
    const { data, reread } = listed;
    return (
      <Page
        title={title}
        context={data && `${exactNumber(data.total)} of at most ${exactNumber(most)}`}
        actions={adding(reread)}
      >
        <List
          {...list}
          label={title}
          of={listed}
          none={
            <Commands title={`There are no ${path} yet`} commands={[asCurl(first)]}>
              {meaning}
            </Commands>
          }
        />
      </Page>
    );
  };
}
