import type { EndingNotice } from '../../../../application/ports/job-endings-port.ts';
import type { RecordedAttempt } from '../../../../domain/attempts/attempt-record.ts';
import type { Lock } from '../../../../domain/attempts/attempt.ts';
import { expiryOf } from '../../../../domain/attempts/expiry.ts';
import type { JobGroup } from '../../../../domain/groups/job-group.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { AddedJob, Job, JobFacts, NewJob } from '../../../../domain/jobs/job.ts';
import type { ChangedOptions } from '../../../../domain/jobs/job-retry.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import { JsonText, jsonText, type Json } from '../../../../domain/values/json.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Children, ParentLink } from './children.ts';
import type { ListPosition } from './job-list.ts';
import type { ListedJob } from './listed-job.ts';

/** The acceptance of a job by its endpoint, valid while the token holds the job. Times are epoch ms. */
export interface Acceptance {
  readonly token: string;
  readonly since: number;
  readonly until: number;
  /** Once it was found overdue: until when the one that found it has time to end it. */
  readonly foundUntil?: number;
}

/**
 * A job as the store keeps it. Values of clients are JSON text, so nothing that a client passed in or got back shares
 * memory with the store, and values read back as they would from a store across the network.
 */
export interface StoredJob extends ListedJob {
  readonly id: string;
  readonly name: string;
  data: string;
  opts: string;
  /** 0 is no priority. */
  priority: number;
  readonly lifo: boolean;
  readonly group?: JobGroup;
  /** Its position among the waiting jobs of its group, or the position when it last waited. */
  groupPosition?: ListPosition;
  readonly deduplicationId?: string;
  /** The scheduler that made it. */
  readonly schedulerId?: string;
  readonly timestamp: number;
  progress: string;
  returnvalue: string;
  failedReason?: string;
  stacktrace: string[] | null;
  attemptsStarted: number;
  attemptsMade: number;
  delay: number;
  processedOn?: number;
  finishedOn?: number;
  /** The list of the queue that holds the job, and the position in it. */
  status?: JobState;
  position?: ListPosition;
  lock?: Lock | undefined;
  acceptance?: Acceptance | undefined;
  /** Whether it had no lock at the last stalled check and has had none since. */
  suspect: boolean;
  stalledCount: number;
  /** Since it was put back: when it had started among others, and how many starts the queue had seen. */
  returned?: { readonly started: number; readonly starts: number } | undefined;
  /** Why the next attempt must end in failure. */
  mustFail?: string;
  readonly logs: string[];
  /** When (epoch ms) its first attempt must start at the latest; undefined once it started, or without a limit. */
  expiresAt?: number | undefined;
  /** How often it was deferred since it was added or last retried by hand. */
  deferrals: number;
  /** The half of a failed batch call that the job belongs to. */
  half?: string | undefined;
  readonly parent?: ParentLink;
  /** Absent for a job that never waits for others. */
  readonly children?: Children;
  /** Its latest attempts. */
  attempts: readonly RecordedAttempt[];
}

/** A fresh job that no list holds yet. Throws when a value cannot be written as JSON. */
export function storedJob(id: string, { name, data, opts }: NewJob, timestamp: number): StoredJob {
  const expiresAt = expiryOf(timestamp, opts.ttl);
  return {
    id,
    name,
    data: jsonText(data),
    opts: JSON.stringify(opts),
    priority: opts.priority ?? 0,
    lifo: opts.lifo ?? false,
    ...(opts.group && { group: opts.group }),
    ...(opts.deduplication && { deduplicationId: opts.deduplication.id }),
    timestamp,
    progress: '0',
    returnvalue: 'null',
    stacktrace: null,
    attemptsStarted: 0,
    attemptsMade: 0,
    delay: opts.delay,
    suspect: false,
    stalledCount: 0,
    logs: [],
    ...(expiresAt !== undefined && { expiresAt }),
    deferrals: 0,
    attempts: [],
  };
}

export function changeOptions(job: StoredJob, changes: ChangedOptions): void {
  job.opts = JSON.stringify({ ...(JSON.parse(job.opts) as JobOptions), ...changes });
  job.priority = changes.priority ?? job.priority;
}

/** When (epoch ms) the job could first start. */
export function startableAt({ timestamp, opts }: StoredJob): number {
  return timestamp + (JSON.parse(opts) as JobOptions).delay;
}

/** About how many bytes a job takes in an answer. */
export function shownBytes({ name, data, opts, ...stored }: StoredJob): number {
  const { progress, returnvalue, failedReason = '', stacktrace } = stored;
  const texts = [name, data, opts, progress, returnvalue, failedReason, ...(stacktrace ?? [])];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export function toJob(stored: StoredJob, queue: QueueName): Job {
  return Object.assign(existingJob(stored, queue), { state: stored.status ?? 'waiting' });
}

/** The job that existed under the id of an added one. */
export function existingJob(stored: StoredJob, queue: QueueName): JobFacts {
  return jobFacts(JSON.parse(stored.data) as Json, stored, queue);
}

/** A job that was just added; data given as text is not parsed. */
export function addedJob(stored: StoredJob, { data }: NewJob, queue: QueueName): AddedJob {
  if (data instanceof JsonText) return jobFacts(data, stored, queue);
  return existingJob(stored, queue);
}

function jobFacts<Data>(data: Data, stored: StoredJob, queue: QueueName) {
  const { failedReason, processedOn, finishedOn } = stored;
  return {
    queue,
    id: stored.id,
    name: stored.name,
    data,
    opts: shownOptions(stored),
    progress: JSON.parse(stored.progress) as Json,
    returnvalue: JSON.parse(stored.returnvalue) as Json,
    ...(failedReason !== undefined && { failedReason }),
    stacktrace: stored.stacktrace === null ? null : [...stored.stacktrace],
    attemptsStarted: stored.attemptsStarted,
    attemptsMade: stored.attemptsMade,
    delay: stored.delay,
    timestamp: stored.timestamp,
    ...(processedOn !== undefined && { processedOn }),
    ...(finishedOn !== undefined && { finishedOn }),
  };
}

/**
 * The options that the job was added with, but with its current priority: changing that leaves the stored options
 * alone.
 */
function shownOptions({ opts, priority }: StoredJob): JobOptions {
  const options = JSON.parse(opts) as JobOptions;
  return priority === (options.priority ?? 0) ? options : { ...options, priority };
}

export function endingOf({ status, returnvalue, failedReason = '' }: StoredJob): EndingNotice {
  return status === 'completed'
    ? { state: 'completed', returnvalue: JSON.parse(returnvalue) as Json }
    : { state: 'failed', failedReason };
}

/** How many characters the values take that may be long. */
export function sizeOf({ name, data, opts, progress, returnvalue }: StoredJob): number {
  return name.length + data.length + opts.length + progress.length + returnvalue.length;
}
