import type { VNode } from 'preact';
import type { Hook, Hooks } from '../../../typescript/src/api.ts';
import { asCurl } from '../../api/curl.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { column, linkColumn, textColumn, timeColumn, urlColumn } from '../../parts/columns.tsx';
import { Commands } from '../../parts/commands.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { stateOf, whyPaused } from './hook.ts';
import { NewHook } from './new-hook.tsx';

const EVERY = 15_000;

const FIRST_HOOK = asCurl({
  method: 'PUT',
  path: 'hooks/on-call',
  body: {
    url: 'https://example.com/hooks',
    events: ['queue.late', 'worker.*'],
    when: { oldestWaiting: 300_000 },
  },
});

/** Where the service says that something is wrong, that it is over, and that jobs ended. */
export function HooksPage(): VNode {
  const hooks = useResource<Hooks>('hooks', EVERY);
  const { data } = hooks;
  return (
    <Page
      title="Hooks"
      context={data && `${exactNumber(data.total)} of at most 100`}
      actions={<NewHook saved={hooks.reread} />}
    >
      <Read of={hooks}>
        {({ hooks: rows }) =>
          rows.length === 0 ? (
            <Commands title="There are no hooks yet" commands={[FIRST_HOOK]}>
              A hook sends a message to a URL when something is wrong, and one when it is over.
            </Commands>
          ) : (
            <Table
              label="Hooks"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              isStale={hooks.isBusy}
            />
          )
        }
      </Read>
    </Page>
  );
}

const columns: readonly Column<Hook>[] = [
  linkColumn('Hook', ({ id }) => ['hooks', id]),
  {
    label: 'State',
    phone: 'beside',
    cell: (hook) => <StateLabel state={stateOf(hook)} title={whyPaused(hook) ?? hook.unreadable} />,
  },
  textColumn('Events', ({ events }) => events.join(', ')),
  textColumn('Queues', ({ queues }) => queues?.join(', ') ?? 'all'),
  urlColumn('URL', ({ url }) => [url]),
  column('Format', ({ format }) => format, { phone: 'hidden' }),
  column('Signed', ({ signing }) => (signing ? 'yes' : 'no'), { phone: 'hidden' }),
  timeColumn('Created', ({ createdAt }) => createdAt, { phone: 'hidden' }),
];
