import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';

/**
 * Puts jobs back at the head of their queue, as if they had never been taken.
 *
 * @param taken in the order in which they were taken.
 * @param isUncounted whether to exclude their starts from limiters.
 * @returns how many jobs could not be put back; the stalled check will find them.
 */
export async function giveBack(
  attempts: AttemptEnginePort,
  queue: QueueName,
  taken: readonly AttemptKey[],
  isUncounted = false,
): Promise<number> {
  // The latest first: putting a job behind others is more expensive for the store.
  const released = taken
    .toReversed()
    .map((attempt) => attempts.release(queue, attempt, isUncounted));
  const results = await Promise.allSettled(released);
  return results.filter(({ status }) => status === 'rejected').length;
}
