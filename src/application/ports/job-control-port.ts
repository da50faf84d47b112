import type { ActionOutcome } from '../../domain/jobs/job-actions.ts';
import type { JobChange } from '../../domain/jobs/job-change.ts';
import type { JobRetry } from '../../domain/jobs/job-retry.ts';
import type { JobState } from '../../domain/jobs/job-status.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Retention } from '../../domain/jobs/job-retention.ts';
import type { Natures } from './nature.ts';

export interface JobCancellation {
  /** Why the job fails. */
  readonly reason: string;
  /** Which failed jobs stay: the worker's rule; the job's own rule takes precedence. */
  readonly keep?: Retention | undefined;
}

/**
 * Removes, promotes, retries, cancels and changes single jobs. A method checks the state of the job against
 * ALLOWED_STATES and changes the job in one step: if several replicas do the same at once, one succeeds and the others
 * get the resulting state. Methods throw DomainError `store-unavailable` when the store cannot be reached, within
 * STORE_PATIENCE.
 *
 * @param within for several methods: the states in which to act; by default all states that allow the action.
 */
export interface JobControlPort {
  /**
   * Prepares for actions on many jobs, one by one: a store that has to search for waiting jobs searches once for all of
   * them. These jobs may start later than otherwise; all others keep their order.
   */
  bringTogether(queue: QueueName, jobIds: readonly string[]): Promise<void>;

  /**
   * Removes the job with its log, its role in jobs that depend on it, and all its descendants. Nothing is removed while
   * one of these is active. A large family is removed in short steps: none of its jobs starts in the meantime, except
   * those that are just starting, which stay and run to their end. When it throws an error that `mayBeStored`, some jobs may
   * be gone and the first one is failed; it may be repeated.
   */
  remove(queue: QueueName, jobId: string): Promise<ActionOutcome>;

  /** Removes the job, but keeps its descendants. */
  removeAlone(
    queue: QueueName,
    jobId: string,
    within?: readonly JobState[],
  ): Promise<ActionOutcome>;

  /**
   * Removes an active job, but keeps its descendants, as if it had never been added: nothing follows its end. The attempt
   * that holds it loses it.
   */
  removeActive(queue: QueueName, jobId: string): Promise<ActionOutcome>;

  /** Ends the delay: the job goes behind those that already wait, or that have the same priority. */
  promote(queue: QueueName, jobId: string): Promise<ActionOutcome>;

  /**
   * Restarts a finished job with no attempts made, in the place of a new job. Its log and the reasons of its failed
   * attempts stay. It waits again for children that have not ended, unless a failed child lets it continue without
   * them; a parent that is waiting waits for it again.
   */
  retry(
    queue: QueueName,
    jobId: string,
    retry: JobRetry,
    within?: readonly JobState[],
  ): Promise<ActionOutcome>;

  /**
   * Fails the job for good. An attempt that holds it loses it at that moment, wherever it runs, and counts as failed.
   * Jobs that depend on it continue as after any failure; if it was the next job of a scheduler, the one after it is
   * planned.
   */
  cancel(
    queue: QueueName,
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): Promise<ActionOutcome>;

  /**
   * Makes the whole change or none of it. A job with a new priority goes behind those that have it; a delay counts from
   * now.
   */
  change(queue: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome>;
}

export const JOB_CONTROL_NATURES: Natures<JobControlPort> = {
  bringTogether: { is: 'local', isLong: true },
  remove: { is: 'changes', inPieces: true, isLong: true },
  removeAlone: { is: 'changes', inPieces: true },
  removeActive: { is: 'changes', inPieces: true },
  promote: 'changes',
  retry: 'changes',
  cancel: 'changes',
  change: 'enlarges',
};
