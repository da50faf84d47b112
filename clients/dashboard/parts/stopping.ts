import { apiPath } from '../api/request.ts';
import { duration } from '../format/duration.ts';
import type { Action } from './action.tsx';

/** Stops something, or lets it go on: each undoes the other. */
function switching(
  path: string,
  [stop, start]: readonly [stop: string, start: string],
  isStopped: boolean,
  reason: string | undefined,
  ending: Pick<Action, 'done' | 'after'>,
): Action {
  const stopping = {
    ...({ method: 'POST', path: `${path}/${stop.toLowerCase()}` } as const),
    ...(reason !== undefined && { body: { reason } }),
  };
  const starting = { method: 'POST', path: `${path}/${start.toLowerCase()}` } as const;
  const [request, undo] = isStopped ? [starting, stopping] : [stopping, starting];
  return { label: isStopped ? start : stop, right: 'operate', request, undo, ...ending };
}

/** Pauses a queue, a group or a scheduler, or resumes it. @param path of it in the API. */
export function pausing(
  path: string,
  name: string,
  isPaused: boolean,
  after?: () => void,
  reason?: string,
): Action {
  const done = `${name} ${isPaused ? 'goes on' : 'is paused'}`;
  return switching(path, ['Pause', 'Resume'], isPaused, reason, { done, after });
}

/** Disables the worker of a queue, or enables it again. */
export function disabling(
  queue: string,
  isDisabled: boolean,
  after: () => void,
  reason?: string,
): Action {
  const path = apiPath('workers', queue);
  const done = `The worker of ${queue} is ${isDisabled ? 'called again' : 'disabled'}`;
  return switching(path, ['Disable', 'Enable'], isDisabled, reason, { done, after });
}

/** Holds a queue or a group. @param time milliseconds. */
export function holding(
  path: string,
  name: string,
  time: number,
  after: () => void,
  reason?: string,
): Action {
  return {
    label: `Hold for ${duration(time)}`,
    right: 'operate',
    request: { method: 'POST', path: `${path}/hold`, body: { for: time, reason } },
    undo: { method: 'DELETE', path: `${path}/hold` },
    done: `${name} is held for ${duration(time)}`,
    after,
  };
}

export function endingHold(path: string, name: string, after: () => void): Action {
  return {
    label: 'End the hold',
    right: 'operate',
    request: { method: 'DELETE', path: `${path}/hold` },
    done: `The hold of ${name} has ended`,
    after,
  };
}
