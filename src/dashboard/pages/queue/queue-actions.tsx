import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { apiPath, withQuery } from '../../api/request.ts';
import { duration } from '../../format/duration.ts';
import { goTo, pageLink } from '../../navigation/route.ts';
import { ActionButton, ActionDialog, RightButton, type Action } from '../../parts/action.tsx';
import { pausing, resuming } from './pausing.ts';
import { TypedAction } from './typed-action.tsx';

const HOLDS = [300_000, 3_600_000, 86_400_000];

function path(queue: string, verb: string): string {
  return apiPath('queues', queue, verb);
}

function holding(queue: string, time: number, after: () => void): Action {
  return {
    label: `Hold for ${duration(time)}`,
    right: 'operate',
    request: { method: 'POST', path: path(queue, 'hold'), body: { for: time } },
    undo: { method: 'DELETE', path: path(queue, 'hold') },
    done: `${queue} is held for ${duration(time)}`,
    after,
  };
}

function ending(queue: string, after: () => void): Action {
  return {
    label: 'End the hold',
    right: 'operate',
    request: { method: 'DELETE', path: path(queue, 'hold') },
    done: `The hold of ${queue} has ended`,
    after,
  };
}

function draining(queue: string, after: () => void): Action {
  return {
    label: 'Drain',
    right: 'operate',
    request: { method: 'POST', path: path(queue, 'drain'), body: { delayed: true } },
    warning: 'Removes all waiting, prioritized and delayed jobs.',
    done: `${queue} is drained`,
    after,
  };
}

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
  const [asked, setAsked] = useState<'hold' | 'delete' | undefined>();
  const close = (): void => setAsked(undefined);
  return (
    <>
      <ActionButton action={isPaused ? resuming(queue, refresh) : pausing(queue, refresh)} />
      {isHeld ? (
        <ActionButton action={ending(queue, refresh)} />
      ) : (
        <RightButton right="operate" onClick={() => setAsked('hold')}>
          Hold …
        </RightButton>
      )}
      <ActionButton action={draining(queue, refresh)} />
      <RightButton right="configure" onClick={() => setAsked('delete')}>
        Delete …
      </RightButton>
      {asked === 'hold' && (
        <ActionDialog
          title={`Hold ${queue}`}
          actions={HOLDS.map((time) => holding(queue, time, refresh))}
          close={close}
        >
          <p>A hold is a pause that ends by itself. Running calls finish.</p>
        </ActionDialog>
      )}
      {asked === 'delete' && (
        <TypedAction
          title={`Delete ${queue}`}
          expected={queue}
          close={close}
          action={{
            label: 'Delete the queue',
            right: 'configure',
            request: {
              method: 'DELETE',
              path: withQuery(apiPath('queues', queue), { confirm: queue }),
            },
            done: `${queue} is deleted`,
            after: () => goTo(pageLink([])),
          }}
        >
          <p>Removes its jobs, schedulers and worker, as if it had never been.</p>
        </TypedAction>
      )}
    </>
  );
}
