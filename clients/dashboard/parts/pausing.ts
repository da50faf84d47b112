import { apiPath } from '../../api/request.ts';
import { duration } from '../../format/duration.ts';
import type { Action } from '../../parts/action.tsx';

export function pausing(queue: string, after?: () => void): Action {
  return {
    label: 'Pause',
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'pause') },
    undo: { method: 'POST', path: apiPath('queues', queue, 'resume') },
    done: `${queue} is paused`,
    after,
  };
}

export function resuming(queue: string, after?: () => void): Action {
  return {
    label: 'Resume',
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'resume') },
    undo: { method: 'POST', path: apiPath('queues', queue, 'pause') },
    done: `${queue} goes on`,
    after,
  };
}

/** @param time milliseconds. */
export function holding(queue: string, time: number, after?: () => void): Action {
  const path = apiPath('queues', queue, 'hold');
  return {
    label: `Hold for ${duration(time)}`,
    right: 'operate',
    request: { method: 'POST', path, body: { for: time } },
    undo: { method: 'DELETE', path },
    done: `${queue} is held for ${duration(time)}`,
    after,
  };
}

export function endingHold(queue: string, after?: () => void): Action {
  return {
    label: 'End the hold',
    right: 'operate',
    request: { method: 'DELETE', path: apiPath('queues', queue, 'hold') },
    done: `The hold of ${queue} has ended`,
    after,
  };
}
