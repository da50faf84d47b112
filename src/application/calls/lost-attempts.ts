import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';

export interface LostDependencies {
  readonly attempts: AttemptEnginePort;
  readonly logger: LoggerPort;
}

/**
 * Frees the place of the finished call of an attempt that lost its job while the call was running: its result is
 * ignored. If this fails, the store frees it at the time at which the lock would have expired.
 */
export async function endLostCall(
  { attempts, logger }: LostDependencies,
  queue: QueueName,
  attempt: Attempt,
): Promise<void> {
  try {
    await attempts.endCall(queue, attempt);
  } catch (error) {
    logger.debug('The place of a call could not be freed', { queue, job: attempt.jobId, error });
  }
}
