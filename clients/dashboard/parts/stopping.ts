import { apiPath } from '../api/request.ts';
import { duration } from '../format/duration.ts';
import type { Action } from './action.tsx';

/** Whether it is stopped, what is called after a change, and the reason to stop it. */
export type How = readonly [isStopped: boolean, after?: () => void, reason?: string | undefined];

type Words = readonly [ofStop: string, ofStart: string];

/** How something is stopped, or goes on: each undoes the other. */
function switching([stop, start]: Words, [stopped, started]: Words) {
  return (path: string, name: string, ...[isStopped, after, reason]: How): Action => {
    const post = (word: string) =>
      ({ method: 'POST', path: `${path}/${word.toLowerCase()}` }) as const;
    const stopping = { ...post(stop), ...(reason !== undefined && { body: { reason } }) };
    const [request, undo] = isStopped ? [post(start), stopping] : [stopping, post(start)];
    const done = `${name} ${isStopped ? started : stopped}`;
    return { label: isStopped ? start : stop, right: 'operate', request, undo, done, after };
  };
}

/** Pauses a queue, a group or a scheduler, or resumes it, by its path in the API. */
export const pausing = switching(['Pause', 'Resume'], ['is paused', 'goes on']);

/** Disables a worker, or enables it again, by its path in the API. */
export const switchingWorker = switching(['Disable', 'Enable'], ['is disabled', 'is called again']);

/** Disables the worker of a queue, or enables it again. */
export function disabling(queue: string, ...how: How): Action {
  return switchingWorker(apiPath('workers', queue), `The worker of ${queue}`, ...how);
}

/** Holds a queue or a group for one of some times (ms), or ends its hold. */
export function holding(
  times: readonly number[],
  path: string,
  name: string,
  ...[isHeld, after, reason]: How
): readonly Action[] {
  const hold = `${path}/hold`;
  const request = { method: 'DELETE', path: hold } as const;
  const ending = { label: 'End the hold', done: `The hold of ${name} has ended`, request };
  if (isHeld) return [{ ...ending, right: 'operate', after }];
  return times.map((time) => ({
    label: `Hold for ${duration(time)}`,
    right: 'operate',
    request: { method: 'POST', path: hold, body: { for: time, reason } },
    undo: request,
    done: `${name} is held for ${duration(time)}`,
    after,
  }));
}
