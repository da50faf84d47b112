import type { Topics } from '../../../typescript/src/api.ts';
import { countColumn, linkColumn } from '../../parts/columns.tsx';
import { listPage } from '../../parts/list-page.tsx';
import { Subscribe } from './subscribe.tsx';

/** The topics, whose messages become jobs of several queues. */
export const TopicsPage = listPage<Topics, Topics['topics'][number]>({
  title: 'Topics',
  path: 'topics',
  every: 15_000,
  most: 1000,
  meaning: 'A message to a topic becomes a job of every subscription that it matches.',
  first: {
    method: 'PUT',
    path: 'topics/orders/subscriptions/billing',
    body: { queue: 'billing', filter: { name: ['paid'] } },
  },
  rowsOf: ({ topics }) => topics,
  columns: [
    linkColumn('Topic', ({ topic }) => ['topics', topic]),
    countColumn('Subscriptions', ({ subscriptions }) => subscriptions),
  ],
  keyOf: ({ topic }) => topic,
  adding: (saved) => <Subscribe saved={saved} />,
});
