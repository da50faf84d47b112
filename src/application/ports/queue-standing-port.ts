import type { Limiter } from '../../domain/queues/limiter.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { QueueStanding } from '../../domain/workers/blocked.ts';

/** A queue to examine, and the relevant settings of its worker, if it has one. */
export interface StandingQuery {
  readonly queue: QueueName;
  readonly limiter?: Limiter | undefined;
  /** Whether the worker gets several jobs in one call: then running calls are counted instead of jobs. */
  readonly hasBatches?: boolean;
}

/**
 * Reads what decides whether jobs of a queue start, besides its worker and its summary state. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached.
 */
export interface QueueStandingPort {
  /**
   * The current standing of each queue. The cost does not depend on its number of jobs, except on the active ones if
   * the worker has batches.
   */
  standings(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]>;

  /**
   * How many jobs of the queue wait for a child that failed for good. Only the oldest jobs that wait for children are
   * examined, as many as one call covers.
   */
  stuckParents(queue: QueueName): Promise<number>;

  /**
   * Records for CLAIMED_FOR that a client asked for jobs of the queue. @returns false, recording nothing, when the
   * queue does not exist.
   */
  noteClaim(queue: QueueName): Promise<boolean>;
}
