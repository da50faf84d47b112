import type { Caller } from '../../../../domain/access/caller.ts';
import type { Callback } from '../../../../domain/jobs/callback.ts';

/**
 * Whoever makes jobs with a callback to a queue must be allowed to add to that queue (reach contract, section 18).
 *
 * @throws DomainError `forbidden`.
 */
export function requireCallbackQueues(
  caller: Caller,
  callbacks: Iterable<Callback | undefined>,
): void {
  for (const callback of callbacks) {
    if (callback === undefined || !('queue' in callback)) continue;
    caller.require('add');
    caller.requireQueue(callback.queue);
  }
}
