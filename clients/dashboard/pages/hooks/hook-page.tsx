import type { VNode } from 'preact';
import { settingsOfHook } from '../../../rules/hook-settings.ts';
import type { Hook, HookDeliveries, HookDelivery } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import { useResource } from '../../api/resource.ts';
import { ActionButton } from '../../parts/action.tsx';
import {
  column,
  durationColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from '../../parts/columns.tsx';
import { Card } from '../../parts/card.tsx';
import { DialogButton } from '../../parts/dialog-button.tsx';
import { EditRegistration } from '../../parts/edit-registration.tsx';
import { Existing } from '../../parts/existing.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { List } from '../../parts/list.tsx';
import { NewSecret } from '../../parts/new-secret.tsx';
import { Page, Read } from '../../parts/page.tsx';
import { RemoveButton } from '../../parts/remove-button.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import type { Column } from '../../parts/table.tsx';
import { TestDialog } from '../../parts/test-dialog.tsx';
import { stateOf, whyPaused } from './hook.ts';

const EVERY = 5000;

/** One hook: its settings, its latest messages, and what became of them. */
export function HookPage({ id }: { readonly id: string }): VNode {
  const path = apiPath('hooks', id);
  const hook = useResource<Hook>(path, EVERY);
  const deliveries = useResource<HookDeliveries>(`${path}/deliveries`, EVERY);
  const { data } = hook;
  return (
    <Page
      title={`Hook ${id}`}
      context={
        data && (
          <>
            <StateLabel state={stateOf(data)} />
            <span class="text">{data.unreadable ?? whyPaused(data) ?? data.url}</span>
          </>
        )
      }
      actions={
        data && (
          <>
            <DialogButton
              label="Test …"
              right="operate"
              class="primary"
              dialog={(close) => (
                <TestDialog
                  title={`Send a test message to ${id}`}
                  request={{ method: 'POST', path: `${path}/test` }}
                  close={close}
                />
              )}
            />
            <EditRegistration
              what={`the hook ${id}`}
              value={settingsOfHook(data)}
              request={(body) => ({ method: 'PUT', path, body })}
              saved={hook.reread}
            />
            {data.signing && (
              <NewSecret
                label="Rotate secret …"
                title={`The signing secret of ${id}`}
                right="configure"
                request={{ method: 'POST', path: `${path}/rotate-secret` }}
                field="secret"
              >
                Messages are signed with the new secret and with the old one until tomorrow.
              </NewSecret>
            )}
            <RemoveButton kind="hook" name={id}>
              Its messages are removed too, also those that are not sent yet.
            </RemoveButton>
          </>
        )
      }
    >
      <Existing of={hook} kind="hook" name={id}>
        <Card title="Messages">
          <List
            label="Messages"
            of={deliveries}
            rowsOf={({ deliveries: rows }) => rows}
            columns={columns(path, deliveries.reread)}
            keyOf={(row) => row.id}
            none={<p class="muted">It sent no message in the last seven days.</p>}
          />
        </Card>
        <Card title="Settings">
          <Read of={hook}>
            {(shown) => <JsonView label="Settings" text={JSON.stringify(settingsOfHook(shown))} />}
          </Read>
        </Card>
      </Existing>
    </Page>
  );
}

function columns(path: string, refresh: () => void): readonly Column<HookDelivery>[] {
  return [
    column('Event', ({ type }) => <code>{type}</code>),
    stateColumn('State', ({ state }) => state, { phone: 'beside' }),
    numberColumn('Attempts', ({ attempts }) => attempts),
    numberColumn('Status', ({ lastStatus }) => lastStatus),
    durationColumn('Time', ({ durationMs }) => durationMs, { phone: 'hidden' }),
    timeColumn('Created', ({ createdAt }) => createdAt),
    timeColumn('Next', ({ nextAt }) => nextAt),
    textColumn('Reason', ({ reason }) => reason),
    {
      label: 'Actions',
      heading: <span class="unseen">Actions</span>,
      cell: ({ id, type }) => (
        <ActionButton
          action={{
            label: 'Resend',
            right: 'operate',
            request: { method: 'POST', path: `${path}/${apiPath('deliveries', id, 'resend')}` },
            done: `${type} is sent again`,
            after: refresh,
          }}
        />
      ),
    },
  ];
}
