import type { VNode } from 'preact';
import type { Subscription, Topic } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { pageLink } from '../../navigation/route.ts';
import { ActionButton } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { actionsColumn, column, stateColumn, textColumn } from '../../parts/columns.tsx';
import { EditRegistration } from '../../parts/edit-registration.tsx';
import { Existing } from '../../parts/existing.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Subscribe } from './subscribe.tsx';
import { TryMessage } from './try-message.tsx';

const EVERY = 15_000;

/** One topic: its subscriptions, and a form that tries their filters. */
export function TopicPage({ id }: { readonly id: string }): VNode {
  const topic = useResource<Topic>(apiPath('topics', id), EVERY);
  return (
    <Page title={`Topic ${id}`} actions={<Subscribe topic={id} saved={topic.reread} />}>
      <Existing of={topic} kind="topic" name={id}>
        <Card title="Subscriptions">
          <Read of={topic}>
            {({ subscriptions }) => (
              <Table
                label="Subscriptions"
                columns={columns(id, topic.reread)}
                rows={subscriptions}
                keyOf={(row) => row.id}
              />
            )}
          </Read>
        </Card>
        <TryMessage topic={id} />
      </Existing>
    </Page>
  );
}

function columns(topic: string, reread: () => void): readonly Column<Subscription>[] {
  const pathOf = (id: string): string => apiPath('topics', topic, 'subscriptions', id);
  return [
    textColumn('Subscription', ({ id }) => id),
    stateColumn('State', ({ paused }) => (paused ? 'paused' : 'ready'), { phone: 'beside' }),
    column('Queue', ({ queue }) => <a href={pageLink(['queues', queue])}>{queue}</a>),
    column('Filter', ({ filter }) =>
      filter === undefined ? 'all messages' : <code class="text">{JSON.stringify(filter)}</code>,
    ),
    textColumn('When full', ({ onFull }) => onFull, { phone: 'hidden' }),
    actionsColumn(({ id, ...subscription }) => (
      <>
        <EditRegistration
          what={`the subscription ${id}`}
          value={subscription}
          request={(body) => ({ method: 'PUT', path: pathOf(id), body })}
          saved={reread}
        />
        <ActionButton
          action={{
            label: 'Remove',
            right: 'configure',
            request: { method: 'DELETE', path: pathOf(id) },
            done: `The subscription ${id} is removed`,
            after: reread,
          }}
        />
      </>
    )),
  ];
}
