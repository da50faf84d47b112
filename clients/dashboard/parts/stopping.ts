import { apiPath } from '../api/request.ts';
import { duration } from '../format/duration.ts';
import type { Action } from './action.tsx';

interface Switch {
  readonly path: string;
  readonly isStopped: boolean;
  readonly done: string;
  readonly after?: (() => void) | undefined;
  readonly reason?: string | undefined;
}

/** Stops something, or lets it go on: each undoes the other. */
function switching(
  [stop, start]: readonly [stop: string, start: string],
  { path, isStopped, done, after, reason }: Switch,
): Action {
  const stopping = {
    ...({ method: 'POST', path: `${path}/${stop.toLowerCase()}` } as const),
    ...(reason !== undefined && { body: { reason } }),
  };
  const starting = { method: 'POST', path: `${path}/${start.toLowerCase()}` } as const;
  return {
    label: isStopped ? start : stop,
    right: 'operate',
    request: isStopped ? starting : stopping,
    undo: isStopped ? stopping : starting,
    done,
    after,
  };
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
  return switching(['Pause', 'Resume'], { path, isStopped: isPaused, done, after, reason });
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
  return switching(['Disable', 'Enable'], { path, isStopped: isDisabled, done, after, reason });
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
