import type { Limiter } from '../../domain/queues/limiter.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { QueueStanding } from '../../domain/workers/blocked.ts';

/** A queue to look at, and what its worker, if it has one, contributes. */
export interface StandingQuery {
  readonly queue: QueueName;
  readonly limiter?: Limiter | undefined;
  /** Whether the worker gets several jobs with one call: then calls count as running, and not their jobs. */
  readonly hasBatches?: boolean;
}

/**
 * Reads what decides, besides its worker and what a glance shows, whether jobs of a queue start. Methods throw
 * DomainError `store-unavailable` when the store cannot be reached.
 */
export interface QueueStandingPort {
  /**
   * Each of the queues as it is now, at a cost that does not depend on the number of its jobs, but of those that run
   * where the worker has batches.
   */
  standings(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]>;

  /**
   * How many jobs of the queue wait for a child that failed for good: of the oldest that wait for children, as many as
   * one look goes through.
   */
  stuckParents(queue: QueueName): Promise<number>;

  /**
   * Notes for CLAIMED_FOR that a client asked for jobs of the queue. @returns false, and nothing is noted, when the queue
   * does not exist.
   */
  noteClaim(queue: QueueName): Promise<boolean>;
}
