import type { VNode } from 'preact';
import type { Topics } from '../../../typescript/src/api.ts';
import { asCurl } from '../../api/curl.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { countColumn, linkColumn } from '../../parts/columns.tsx';
import { Commands } from '../../parts/commands.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Subscribe } from './subscribe.tsx';

const EVERY = 15_000;

const FIRST = asCurl({
  method: 'PUT',
  path: 'topics/orders/subscriptions/billing',
  body: { queue: 'billing', filter: { name: ['paid'] } },
});

/** The topics, whose messages become jobs of several queues. */
export function TopicsPage(): VNode {
  const topics = useResource<Topics>('topics', EVERY);
  const { data } = topics;
  return (
    <Page
      title="Topics"
      context={data && `${exactNumber(data.total)} of at most 1,000`}
      actions={<Subscribe saved={topics.reread} />}
    >
      <Read of={topics}>
        {({ topics: rows }) =>
          rows.length === 0 ? (
            <Commands title="There are no topics yet" commands={[FIRST]}>
              A message to a topic becomes a job of every subscription that it matches.
            </Commands>
          ) : (
            <Table
              label="Topics"
              columns={columns}
              rows={rows}
              keyOf={({ topic }) => topic}
              isStale={topics.isBusy}
            />
          )
        }
      </Read>
    </Page>
  );
}

const columns: readonly Column<Topics['topics'][number]>[] = [
  linkColumn('Topic', ({ topic }) => ['topics', topic]),
  countColumn('Subscriptions', ({ subscriptions }) => subscriptions),
];
