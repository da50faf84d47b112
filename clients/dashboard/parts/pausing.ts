import { duration } from '../format/duration.ts';
import type { Action } from './action.tsx';

/** Pauses a queue, a group or a scheduler, or resumes it. @param path of it in the API. */
export function pausing(
  path: string,
  name: string,
  isPaused: boolean,
  after?: () => void,
  reason?: string,
): Action {
  const pause = {
    ...({ method: 'POST', path: `${path}/pause` } as const),
    ...(reason !== undefined && { body: { reason } }),
  };
  const resume = { method: 'POST', path: `${path}/resume` } as const;
  return {
    label: isPaused ? 'Resume' : 'Pause',
    right: 'operate',
    request: isPaused ? resume : pause,
    undo: isPaused ? pause : resume,
    done: `${name} ${isPaused ? 'goes on' : 'is paused'}`,
    after,
  };
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
