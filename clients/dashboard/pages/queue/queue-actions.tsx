import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { asCurl } from '../../api/curl.ts';
import { LoadedLater } from '../../api/loaded-later.ts';
import { apiPath, withQuery } from '../../api/request.ts';
import { goTo, pageLink } from '../../navigation/route.ts';
import { ActionButton, ActionDialog, RightButton, type Action } from '../../parts/action.tsx';
import { copyText } from '../../parts/copy-button.tsx';
import { ActionMenu } from '../../parts/menu.tsx';
import { endingHold, holding, pausing } from '../../parts/pausing.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const policyForm = new LoadedLater(() => import('./policy/edit-policy.tsx'));

const recommendedPolicy = new LoadedLater(() => import('./policy/recommended-policy.tsx'));

const HOLDS = [300_000, 3_600_000, 86_400_000];

/** The actions on the queue as a whole. */
export function QueueActions({
  queue,
  isPaused,
  isHeld,
  refresh,
}: {
  readonly queue: string;
  readonly isPaused: boolean;
  readonly isHeld: boolean;
  readonly refresh: () => void;
}): VNode {
  const [asked, setAsked] = useState<
    'hold' | 'policy' | 'recommended' | 'clean' | 'delete' | undefined
  >();
  const close = (): void => setAsked(undefined);
  const PolicyForm = asked === 'policy' ? policyForm.value?.EditPolicy : undefined;
  const Recommended =
    asked === 'recommended' ? recommendedPolicy.value?.RecommendedPolicy : undefined;
  const path = apiPath('queues', queue);
  const pause = pausing(path, queue, isPaused, refresh);
  return (
    <>
      <ActionButton action={pause} />
      {isHeld ? (
        <ActionButton action={endingHold(path, queue, refresh)} />
      ) : (
        <RightButton right="operate" onClick={() => setAsked('hold')}>
          Hold …
        </RightButton>
      )}
      <ActionMenu
        label={`More actions on ${queue}`}
        actions={[draining(queue, refresh)]}
        others={[
          { label: 'Policy …', right: 'configure', choose: () => setAsked('policy') },
          {
            label: 'Recommended policy …',
            right: 'configure',
            choose: () => setAsked('recommended'),
          },
          { label: 'Clean …', right: 'operate', choose: () => setAsked('clean') },
          { label: 'Delete …', right: 'configure', choose: () => setAsked('delete') },
          {
            label: `Copy ${pause.label} as curl`,
            choose: () => void copyText(asCurl(pause.request)),
          },
        ]}
      />
      {asked === 'hold' && (
        <ActionDialog
          title={`Hold ${queue}`}
          actions={HOLDS.map((time) => holding(path, queue, time, refresh))}
          close={close}
        >
          <p>A hold is a pause that ends by itself. Running calls finish.</p>
        </ActionDialog>
      )}
      {PolicyForm && <PolicyForm queue={queue} close={close} saved={refresh} />}
      {Recommended && <Recommended queue={queue} close={close} saved={refresh} />}
      {asked === 'clean' && (
        <BulkDialog
          action={{
            label: 'Delete',
            past: 'deleted',
            path: apiPath('queues', queue, 'clean'),
            queue,
            filter: { statuses: ['completed'] },
          }}
          close={() => {
            close();
            refresh();
          }}
        />
      )}
      {asked === 'delete' && (
        <ActionDialog
          title={`Delete ${queue}`}
          expected={queue}
          close={close}
          actions={[
            {
              label: 'Delete the queue',
              right: 'configure',
              request: {
                method: 'DELETE',
                path: withQuery(apiPath('queues', queue), { confirm: queue }),
              },
              done: `${queue} is deleted`,
              after: () => goTo(pageLink([])),
            },
          ]}
        >
          <p>Removes its jobs, schedulers and worker, as if it had never been.</p>
        </ActionDialog>
      )}
    </>
  );
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
