import type { Right } from '../../domain/access/right.ts';
import type { Callback } from '../../domain/jobs/callback.ts';

/**
 * The queues that callbacks add jobs to. Whoever makes jobs with such callbacks must be allowed to use them, and needs
 * the rights of `callbackRights` (reach contract, section 18).
 */
export function* callbackQueues(callbacks: Iterable<Callback | undefined>): Generator<string> {
  for (const callback of callbacks) {
    if (callback !== undefined && 'queue' in callback) yield callback.queue;
  }
}

/** The rights that callbacks require: `add`, as soon as one of them adds jobs to a queue. */
export function* callbackRights(callbacks: Iterable<Callback | undefined>): Generator<Right> {
  if (callbackQueues(callbacks).next().done !== true) yield 'add';
}
