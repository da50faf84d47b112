import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { RunningDependencies } from './running-attempts.ts';

/**
 * Frees the place of the finished call of an attempt that lost its job while the call was running: its result is
 * ignored. If this fails, the store frees it at the time at which the lock would have expired.
 */
export async function endLostCall(
  { attempts, logger }: Pick<RunningDependencies, 'attempts' | 'logger'>,
  queue: QueueName,
  attempt: Attempt,
): Promise<void> {
  try {
    await attempts.endCall(queue, attempt);
  } catch (error) {
    logger.debug('The place of a call could not be freed', { queue, job: attempt.jobId, error });
  }
}
