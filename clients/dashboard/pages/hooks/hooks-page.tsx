import type { Hook, Hooks } from '../../../typescript/src/api.ts';
import { column, linkColumn, textColumn, timeColumn, urlColumn } from '../../parts/columns.tsx';
import { listPage } from '../../parts/list-page.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { stateOf, whyPaused } from './hook.ts';
import { NewHook } from './new-hook.tsx';

/** Where the service says that something is wrong, that it is over, and that jobs ended. */
export const HooksPage = listPage<Hooks, Hook>({
  title: 'Hooks',
  path: 'hooks',
  every: 15_000,
  most: 100,
  meaning: 'A hook sends a message to a URL when something is wrong, and one when it is over.',
  first: {
    method: 'PUT',
    path: 'hooks/on-call',
    body: {
      url: 'https://example.com/hooks',
      events: ['queue.late', 'worker.*'],
      when: { oldestWaiting: 300_000 },
    },
  },
  rowsOf: ({ hooks }) => hooks,
  columns: [
    linkColumn('Hook', ({ id }) => ['hooks', id]),
    {
      label: 'State',
      phone: 'beside',
      cell: (hook) => (
        <StateLabel state={stateOf(hook)} title={whyPaused(hook) ?? hook.unreadable} />
      ),
    },
    textColumn('Events', ({ events }) => events.join(', ')),
    textColumn('Queues', ({ queues }) => queues?.join(', ') ?? 'all'),
    urlColumn('URL', ({ url }) => [url]),
    column('Format', ({ format }) => format, { phone: 'hidden' }),
    column('Signed', ({ signing }) => (signing ? 'yes' : 'no'), { phone: 'hidden' }),
    timeColumn('Created', ({ createdAt }) => createdAt, { phone: 'hidden' }),
  ],
  keyOf: ({ id }) => id,
  adding: (saved) => <NewHook saved={saved} />,
});
