import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { asCurl } from '../../api/curl.ts';
import { LoadedLater } from '../../api/loaded-later.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { goTo, pageLink } from '../../navigation/route.ts';
import { ActionDialog, type Action } from '../../parts/action.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { ActionMenu, type MenuItem } from '../../parts/menu.tsx';
import { pausing } from '../../parts/stopping.ts';
import { bulkAction, BulkDialog } from './bulk-dialog.tsx';
import type { With } from '../../parts/properties.ts';
import { StopButtons } from '../../parts/stop-button.tsx';

const policyForm = new LoadedLater(() => import('./policy/edit-policy.tsx'));

const recommended = new LoadedLater(() => import('./policy/recommended-policy.tsx'));

/** An item of the menu that opens a dialog. */
type DialogItem = Omit<MenuItem, 'choose'> & { readonly dialog: () => ComponentChildren };

/** The actions on the queue as a whole. */
export function QueueActions({
  queue,
  isPaused,
  isHeld,
  refresh,
}: With<'queue' | 'refresh', { isPaused: boolean; isHeld: boolean }>): VNode {
  const path = apiPath('queues', queue);
  const pause = pausing(path, queue, isPaused, refresh);
  const [opened, setOpened] = useState('');
  const close = (): void => setOpened('');
  const dialogs: readonly DialogItem[] = [
    {
      label: 'Policy …',
      right: 'configure',
      dialog: () =>
        policyForm.value && (
          <policyForm.value.EditPolicy queue={queue} close={close} saved={refresh} />
        ),
    },
    {
      label: 'Recommended policy …',
      right: 'configure',
      dialog: () =>
        recommended.value && (
          <recommended.value.RecommendedPolicy queue={queue} close={close} saved={refresh} />
        ),
    },
    {
      label: 'Clean …',
      right: 'operate',
      dialog: () => (
        <BulkDialog
          action={bulkAction('clean', queue, { statuses: ['completed'] })}
          close={close}
          done={refresh}
        />
      ),
    },
    {
      label: 'Delete …',
      right: 'configure',
      dialog: () => (
        <ActionDialog
          title={`Delete ${queue}`}
          expected={queue}
          close={close}
          actions={[deleting(queue)]}
        >
          <p>Removes its jobs, schedulers and worker, as if it had never been.</p>
        </ActionDialog>
      ),
    },
  ];
  return (
    <>
      <StopButtons path={path} name={queue} isPaused={isPaused} isHeld={isHeld} refresh={refresh} />
      <ActionMenu
        label={`More actions on ${queue}`}
        actions={[draining(queue, refresh)]}
        others={[
          ...dialogs.map((item) => ({ ...item, choose: () => setOpened(item.label) })),
          {
            label: `Copy ${pause.label} as curl`,
            choose: () => void copyText(asCurl(pause.request)),
          },
        ]}
      />
      {dialogs.find(({ label }) => label === opened)?.dialog()}
    </>
  );
}

function deleting(queue: string): Action {
  return {
    label: 'Delete the queue',
    right: 'configure',
    request: { method: 'DELETE', path: withQuery(apiPath('queues', queue), { confirm: queue }) },
    done: `${queue} is deleted`,
    after: () => goTo(pageLink([])),
  };
}

function draining(queue: string, after: () => void): Action {
  return {
    label: 'Drain …',
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'drain'), body: { delayed: true } },
    warning: 'Removes all waiting, prioritized and delayed jobs.',
    done: `${queue} is drained`,
    after,
  };
}
