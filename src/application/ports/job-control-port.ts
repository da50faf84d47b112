import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import type { JobChange } from '../../domain/jobs/job-change.ts';
import type { JobRetry } from '../../domain/jobs/job-retry.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Retention } from '../../domain/jobs/job-retention.ts';

export interface JobCancellation {
  /** Why the job fails. */
  readonly reason: string;
  /** Which failed jobs stay: the worker's rule; the job's own rule takes precedence. */
  readonly keep?: Retention | undefined;
}

/**
 * Removes, promotes, retries, cancels and changes single jobs. A method checks the state of the job against
 * ALLOWED_STATES and changes the job in one step: of several replicas that do the same at once, one succeeds and the
 * others get the state that it left. Methods throw DomainError `store-unavailable` when the store cannot be reached,
 * within STORE_PATIENCE.
 *
 * @param within of several methods: the states in which to act; by default all that allow the action.
 */
export interface JobControlPort {
  /**
   * Prepares for actions on many jobs, one by one: a store that has to search for waiting jobs searches once for all of
   * these. They may start later than they would have, and all others keep their order.
   */
  bringTogether(queue: QueueName, jobIds: readonly string[]): Promise<void>;

  /**
   * Removes the job with its log, its part in what depends on it, and all jobs below it. Nothing is done while one of
   * these is active. A large family is removed in short steps: none of its jobs starts meanwhile, except those that are
   * just starting, which stay and run to their end. When it throws, some jobs may be gone and the first one is failed;
   * it may be repeated.
   */
  remove(queue: QueueName, jobId: string): Promise<ActionOutcome>;

  /** Removes the job, but leaves those below it. */
  removeAlone(
    queue: QueueName,
    jobId: string,
    within?: readonly JobState[],
  ): Promise<ActionOutcome>;

  /** Ends the delay: the job goes behind those that wait, or that have its priority. */
  promote(queue: QueueName, jobId: string): Promise<ActionOutcome>;

  /**
   * Lets a finished job start over with no attempt made, in the place of a new job. Its log and the
   * reasons of its failed attempts stay. It waits again for children that have not ended, unless one failed that lets
   * it go on without them; a parent that waits still waits for it again.
   */
  retry(
    queue: QueueName,
    jobId: string,
    retry: JobRetry,
    within?: readonly JobState[],
  ): Promise<ActionOutcome>;

  /**
   * Fails the job for good. An attempt that holds it has lost it from then on, wherever it runs, and counts as
   * failed. Jobs that depend on it continue as after any failure; if it was the next job of a scheduler, that plans the
   * one after it.
   */
  cancel(
    queue: QueueName,
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): Promise<ActionOutcome>;

  /**
   * Makes all of the change or none of it. A job of another priority goes behind those that have it; a delay
   * counts from now.
   */
  change(queue: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome>;
}
