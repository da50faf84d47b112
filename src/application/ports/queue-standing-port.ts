import type { Limiter } from '../../domain/queues/limiter.ts';
import type { JobAddress } from '../../domain/flows/flow.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { QueueStanding } from '../../domain/workers/blocked.ts';
import type { Natures } from './nature.ts';

/** A queue to examine, and the relevant settings of its worker, if it has one. */
export interface StandingQuery {
  readonly queue: QueueName;
  readonly limiter?: Limiter | undefined;
  /** Whether the worker gets several jobs in one call: then running calls are counted instead of jobs. */
  readonly hasBatches?: boolean;
}

/** A job that an ancestor waits for. */
export interface AwaitedJob extends JobAddress {
  /** Whether it failed for good, so that its ancestors wait until it is retried or removed. */
  readonly isFailed: boolean;
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
   * For each queue, a job that failed for good and so keeps one of its jobs waiting, directly or through jobs between
   * them; undefined where the jobs that have waited longest have none. One look examines at least 20 of these, and 100
   * jobs below them.
   */
  failedChildren(queues: readonly QueueName[]): Promise<readonly (JobAddress | undefined)[]>;

  /**
   * The job that a parent waits for: one that failed for good if there is one among the first 100 jobs below it,
   * otherwise one that itself waits for no job. Undefined for a job that waits for none.
   */
  awaitedJob(queue: QueueName, jobId: string): Promise<AwaitedJob | undefined>;

  /**
   * Records for CLAIMED_FOR that a client asked for jobs of the queue. @returns false, recording nothing, when the
   * queue does not exist.
   */
  noteClaim(queue: QueueName): Promise<boolean>;
}

export const QUEUE_STANDING_NATURES: Natures<QueueStandingPort> = {
  standings: 'reads store',
  stuckParents: 'reads queue',
  failedChildren: 'reads store',
  awaitedJob: 'reads store',
  noteClaim: 'notes',
};
