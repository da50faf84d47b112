import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import type { StoredAttempt } from '../../domain/attempts/attempt-record.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobState, StateCounts } from '../../domain/jobs/job-status.ts';
import type { AddedJob, Job, NewJob } from '../../domain/jobs/job.ts';
import type { PolicyDefaults } from '../../domain/policies/policy.ts';

/** A slice of the jobs that are in any of some states. */
export interface JobsQuery {
  readonly statuses: readonly JobState[];
  /** Jobs to skip, counted over all the statuses together. */
  readonly start: number;
  /** Most jobs to return. */
  readonly length: number;
}

/**
 * A list that may be large, in pieces of bounded size or of one item, to be iterated once. Later pieces are read as
 * they are needed, which may throw the errors of the method; an array of one piece is complete.
 */
export type Pieces<Item> = AsyncIterable<readonly Item[]> | readonly [readonly Item[]];

export interface JobsSlice {
  readonly counts: StateCounts;
  /**
   * The jobs at the moment of the counts, each as it is when its piece is read. A job that was removed meanwhile is
   * left out.
   */
  readonly jobs: Pieces<Job>;
}

/** How many jobs a queue holds, and since when the oldest waits. */
export interface QueueSummary {
  readonly counts: StateCounts;
  /**
   * When the job that has waited longest could start: epoch ms, its delay over. It is looked for among the
   * waiting jobs that come first and last, and the prioritized ones that come first in all and at the lowest
   * priority. Absent when none waits.
   */
  readonly waitingSince?: number;
}

export interface JobLogs {
  /** All lines of the job, not only those returned. */
  readonly count: number;
  readonly logs: Pieces<string>;
}

/** The jobs of an add that may be a repeat. The defaults may have changed since the first add. */
export interface RepeatableJobs {
  /** The jobs to add, unless the queue remembers the add. */
  readonly jobs: readonly NewJob[];
  /** The defaults that `jobs` were made with. */
  readonly defaults: PolicyDefaults;
  /** As for `add`; ignored when the queue remembers the add. */
  readonly maxWaiting?: number | undefined;
  readonly maxWaitingOfGroup?: number | undefined;
  /** The jobs as other defaults would have made them. */
  readonly madeWith: (defaults: PolicyDefaults) => readonly NewJob[];
}

/** The outcome of an add that may be a repeat. */
export type AddedOnce =
  | { readonly kind: 'added' | 'repeated'; readonly jobs: readonly AddedJob[] }
  /** `other`: another add has the key. `running`: the first add has not ended. Nothing is stored. */
  | { readonly kind: 'other' | 'running' };

export interface JobAttempts {
  /** All attempts ever made, including those before a retry by hand. */
  readonly count: number;
  /** The last `KEPT_ATTEMPTS`, oldest first. */
  readonly attempts: readonly StoredAttempt[];
  /** The group of the job, if it has one. */
  readonly group?: string;
  /** What the job keeps of the trace of its add, its option `tm`, if it has one. */
  readonly carrier?: string;
}

/**
 * Adds jobs to queues and reads them. A queue needs no creation: it exists as soon as
 * it holds a job. Every method throws DomainError `store-unavailable` when the store cannot be
 * reached, within STORE_PATIENCE.
 */
export interface QueuePort {
  /**
   * Stores all the jobs or none (specification, endpoint rule 1) and returns them in the same order.
   * Automatic ids are increasing integers; a `jobId` that exists already, earlier in the batch too,
   * stores nothing and returns the existing job (JobOpts, rules 1 and 2), or its id alone beyond
   * MAX_EXISTING_BYTES. An add that throws has stored nothing, unless the connection broke after the
   * store had begun to work on it.
   *
   * @param maxWaiting most jobs that may be waiting or prioritized afterwards, unless none of these would be: with
   * a delay, or not stored at all. The limit holds for any number of concurrent adds on any replicas.
   * @param maxWaitingOfGroup most waiting jobs of each group whose settings do not say.
   * @throws DomainError `queue-full` when there would be more.
   */
  add(
    queue: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]>;

  /**
   * Adds unless the queue remembers an add of that key, and remembers it in the same step: of several
   * concurrent ones, on any replicas, one adds. A repeat is answered with the jobs of the first add as that one
   * returned them, made with its defaults, but those that had existed before it as they are now, or by their id
   * alone. Adds are remembered for REMEMBERED_FOR, as far as MOST_REMEMBERED allows; one that throws is not.
   *
   * @throws DomainError `queue-full`, as `add`.
   */
  addOnce(queue: QueueName, add: RepeatableJobs, identity: AddIdentity): Promise<AddedOnce>;

  /** What `addOnce` answers when the queue remembers the key; undefined, and nothing is added, when it does not. */
  recall(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined>;

  /**
   * Counts of every status and one slice, both of the same moment. Jobs come in listing order of
   * their statuses and newest first within one, so that successive slices partition the result.
   */
  list(queue: QueueName, query: JobsQuery): Promise<JobsSlice>;

  /** At a cost that does not grow with the queue. */
  summary(queue: QueueName): Promise<QueueSummary>;

  find(queue: QueueName, jobId: string): Promise<Job | undefined>;

  /** The jobs of these ids that are there, in their order, each as it is when its piece is read. */
  findEach(queue: QueueName, jobIds: readonly string[]): AsyncIterable<readonly Job[]>;

  /**
   * The attempts on record; undefined when there is no such job. Those of other programs are not on record,
   * nor is a job that ended although nothing was tried.
   */
  attempts(queue: QueueName, jobId: string): Promise<JobAttempts | undefined>;

  /** Lines from the oldest, skipping `start`; undefined when there is no such job. */
  logs(
    queue: QueueName,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined>;
}
