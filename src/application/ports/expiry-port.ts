import type { FailedJob } from '../../domain/jobs/failures.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** Jobs of a queue that failed because they did not start in time. */
export interface ExpiredJobs {
  readonly queue: QueueName;
  readonly jobs: readonly FailedJob[];
}

export interface ExpiryRound {
  readonly expired: readonly ExpiredJobs[];
  /** Whether nothing is left to do for now; if not, the next round continues. */
  readonly isDone: boolean;
}

/**
 * Fails the jobs whose `ttl` expired before they started. A claim fails the expired jobs that it encounters, in the
 * same step in which it would start them; this port covers the others: jobs of queues that are paused or have no
 * worker, or that wait behind many others.
 */
export interface ExpiryPort {
  /**
   * Fails such jobs of any queues for good, without an attempt, as many as one short step allows. Any number of
   * replicas may do so concurrently. The round returns these jobs, and the kept ones that claims failed before: each
   * job once, to one caller. It also discards a part of what the store keeps of adds that were interrupted long ago, of
   * cancelled calls that run for too long, and of flow control keys that rest (domain/messages/flow-limit).
   *
   * @throws DomainError `store-unavailable` when the store cannot be reached, within STORE_PATIENCE.
   */
  expireDue(): Promise<ExpiryRound>;
}

export const EXPIRY_NATURES: Natures<ExpiryPort> = { expireDue: 'notes' };
