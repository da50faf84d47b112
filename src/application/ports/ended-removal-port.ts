import type { RetentionPolicy } from '../../domain/policies/retention-policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';
import type { SweepStep } from './sweep-step.ts';

/** How many queues one step looks at, at most. */
export const QUEUES_PER_REMOVAL = 100;

/** How many jobs one step removes, at most: what takes a store a few milliseconds. */
export const JOBS_PER_REMOVAL = 200;

/** What of the jobs that ended may stay in a queue. */
export interface RetainedQueue {
  readonly queue: QueueName;
  readonly retention: RetentionPolicy;
}

/**
 * Removes jobs that ended, by the retention of their queues (reach contract, section 20). Methods throw DomainError
 * `store-unavailable` when the store cannot be reached, within STORE_PATIENCE.
 */
export interface EndedRemovalPort {
  /**
   * Removes the oldest of the jobs that ended and that the retention of their queue does not keep: JOBS_PER_REMOVAL of
   * all queues together, or a few MB. What follows is what follows when the end of another job removes them: their
   * deduplication ids stay as they are, no parent waits for them, and no event tells of it. Never creates a queue.
   *
   * @param queues QUEUES_PER_REMOVAL at most.
   */
  removeBeyond(queues: readonly RetainedQueue[]): Promise<SweepStep<RetainedQueue>>;
}

export const ENDED_REMOVAL_NATURES: Natures<EndedRemovalPort> = {
  removeBeyond: 'notes',
};
