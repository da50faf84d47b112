import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import type { StoredAttempt } from '../../domain/attempts/attempt-record.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { JobState, StateCounts } from '../../domain/jobs/job-status.ts';
import type { AddedJob, Job, NewJob } from '../../domain/jobs/job.ts';
import type { MadeJobs } from '../../domain/jobs/made-jobs.ts';
import type { PolicyDefaults } from '../../domain/policies/policy.ts';
import type { RoomForAdd } from '../../domain/transitions/add.ts';
import type { Natures } from './nature.ts';

/** A slice of the jobs in any of several states. */
export interface JobsQuery {
  readonly statuses: readonly JobState[];
  /** How many jobs to skip, counted across all the states. */
  readonly start: number;
  /** Maximum number of jobs to return. */
  readonly length: number;
}

/**
 * A list that may be large, in pieces of bounded size or of one item, to be iterated once. Later pieces are read on
 * demand, which may throw the errors of the method; an array with one piece is complete.
 */
export type Pieces<Item> = AsyncIterable<readonly Item[]> | readonly [readonly Item[]];

export interface JobsSlice<Shown = Job> {
  readonly counts: StateCounts;
  /**
   * The jobs as of the time of the counts, each with its content as of the time when its piece is read. A job that was
   * removed in the meantime is left out.
   */
  readonly jobs: Pieces<Shown>;
}

/** How many jobs a queue has, and since when the oldest one has been waiting. */
export interface QueueSummary {
  readonly counts: StateCounts;
  /**
   * When the longest-waiting job could have started: epoch ms, after its delay. Only the first and last waiting jobs,
   * and the first prioritized jobs overall and at the lowest priority, are considered. Absent when none waits.
   */
  readonly waitingSince?: number;
}

export interface JobLogs {
  /** The number of all lines of the job, not only of those returned. */
  readonly count: number;
  readonly logs: Pieces<string>;
}

/** The jobs of an add that may be a repeat. The defaults may have changed since the first request. */
export interface RepeatableJobs extends MadeJobs, RoomForAdd {
  /** The defaults that the jobs were made with. */
  readonly defaults: PolicyDefaults;
}

/** The outcome of an add that may be a repeat. */
export type AddedOnce =
  | { readonly kind: 'added' | 'repeated'; readonly jobs: readonly AddedJob[] }
  /**
   * `other`: a different add used the key. `running`: the first add is still in progress. `lost`: the attempt that the
   * add is part of no longer holds its job. Nothing is stored.
   */
  | { readonly kind: 'other' | 'running' | 'lost' };

/** An attempt in another queue. */
export interface HeldAttempt {
  readonly queue: QueueName;
  readonly attempt: AttemptKey;
}

export interface JobAttempts {
  /** How many attempts were ever made, including those before a manual retry. */
  readonly count: number;
  /** The last `KEPT_ATTEMPTS`, oldest first. */
  readonly attempts: readonly StoredAttempt[];
  /** The group of the job, if it has one. */
  readonly group?: string;
  /** What its starts count in limiters, if its options say so. */
  readonly cost?: number;
  /** The trace context of the add, as the job stores it in its option `tm`; absent without one. */
  readonly carrier?: string;
}

/**
 * Adds jobs to queues and reads them. A queue need not be created: it exists as soon as it has a job. Every method
 * throws DomainError `store-unavailable` when the store cannot be reached, within STORE_PATIENCE.
 */
export interface QueuePort {
  /**
   * Stores all the jobs or none (specification, endpoint rule 1) and returns them in the same order. Automatic ids are
   * increasing integers. For a `jobId` that already exists, possibly earlier in the batch, nothing is stored and the
   * existing job is returned (JobOpts, rules 1 and 2), or only its id beyond MAX_EXISTING_BYTES. An add that throws has
   * stored nothing, unless the connection broke after the store had begun to process it.
   *
   * @param maxWaiting how many jobs may be waiting or prioritized afterwards. It is ignored when no added job would be:
   * each is delayed, or not stored at all. The limit holds for any number of concurrent adds on any replicas.
   * @param maxWaitingOfGroup how many jobs may wait in each group whose settings have no such limit.
   * @throws DomainError `queue-full` when a limit would be exceeded.
   */
  add(
    queue: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]>;

  /**
   * Adds unless the queue remembers an add with this key, and remembers it in the same step: of several concurrent
   * adds, on any replicas, only one takes effect. A repeat returns the jobs of the first add as that one returned them,
   * created with its defaults; jobs that had existed before it are returned as they are now, or only by id. Adds are
   * remembered for REMEMBERED_FOR, as far as MOST_REMEMBERED allows; an add that throws is not remembered.
   *
   * @param partOf an attempt that must hold its job in that step; for an add of one job.
   * @throws DomainError `queue-full`, like `add`.
   */
  addOnce(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
    partOf?: HeldAttempt,
  ): Promise<AddedOnce>;

  /** What `addOnce` returns when the queue remembers the key; undefined, with nothing added, when it does not. */
  recall(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined>;

  /**
   * The counts of every status and one slice, both as of the same moment. Jobs come in listing order of their statuses
   * and newest first within each, so that successive slices partition the result.
   */
  list(queue: QueueName, query: JobsQuery): Promise<JobsSlice>;

  /** Its cost does not grow with the queue. */
  summary(queue: QueueName): Promise<QueueSummary>;

  find(queue: QueueName, jobId: string): Promise<Job | undefined>;

  /** The existing jobs with these ids, in the given order, each as of the time when its piece is read. */
  findEach(queue: QueueName, jobIds: readonly string[]): AsyncIterable<readonly Job[]>;

  /**
   * The recorded attempts; undefined when the job does not exist. Attempts by other programs are not recorded, nor is
   * the end of a job without an attempt.
   */
  attempts(queue: QueueName, jobId: string): Promise<JobAttempts | undefined>;

  /** The log lines from the oldest, skipping `start`; undefined when the job does not exist. */
  logs(
    queue: QueueName,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined>;
}

export const QUEUE_NATURES: Natures<QueuePort> = {
  add: { is: 'adds', inPieces: true },
  addOnce: { is: 'adds', inPieces: true },
  recall: 'reads queue',
  list: 'reads queue',
  summary: 'reads queue',
  find: 'reads job',
  findEach: 'streams queue',
  attempts: 'reads job',
  logs: 'reads job',
};
