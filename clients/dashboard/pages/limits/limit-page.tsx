import type { VNode } from 'preact';
import type { Limit, QueueAtLimit, QueuesAtLimit } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { exactNumber } from '../../format/number.tsx';
import { Card } from '../../parts/card.tsx';
import { column, linkColumn, numberColumn } from '../../parts/columns.tsx';
import { EditRegistration } from '../../parts/edit-registration.tsx';
import { Existing } from '../../parts/existing.tsx';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import type { Column } from '../../parts/table.tsx';
import { limiterInWords, runningInWords, settingsOfLimit } from './limit.ts';

const EVERY = 2000;

/** One limit: how much of it is in use, by which queues, and which queues wait for room. */
export function LimitPage({ id }: { readonly id: string }): VNode {
  const path = apiPath('limits', id);
  const limit = useResource<Limit>(path, EVERY);
  const queues = useResource<QueuesAtLimit>(`${path}/queues`, EVERY);
  const { data } = limit;
  const limiter = data && limiterInWords(data);
  return (
    <Page
      title={`Limit ${id}`}
      context={
        data &&
        `${runningInWords(data)} running` +
          (limiter ? `; ${exactNumber(data.startsLeft ?? 0)} of ${limiter} may start now` : '')
      }
      actions={
        data && (
          <>
            <EditRegistration
              what={`the limit ${id}`}
              value={settingsOfLimit(data)}
              request={(body) => ({ method: 'PUT', path, body })}
              saved={limit.reread}
            />
            <RemoveButton kind="limit" name={id}>
              No policy may name it. Calls that started under it run on.
            </RemoveButton>
          </>
        )
      }
    >
      <Existing of={limit} kind="limit" name={id}>
        <Card title="Queues">
          <List
            label="Queues"
            of={queues}
            rowsOf={({ queues: rows }) => rows}
            columns={columns}
            keyOf={({ queue }) => queue}
            none={<p class="muted">No queue runs calls under it or waits for room.</p>}
          />
        </Card>
      </Existing>
    </Page>
  );
}

const columns: readonly Column<QueueAtLimit>[] = [
  linkColumn('Queue', ({ queue }) => ['queues', queue]),
  numberColumn('Running', ({ running }) => running),
  column('Room', ({ waits }) => (waits ? 'waits for room' : '')),
];
