import type { QueueName } from '../queues/queue-name.ts';
import { isObject } from '../values/json.ts';
import { without } from '../values/without.ts';
import { customJobId } from './job-id.ts';
import {
  jobOptionFields,
  jobOptions,
  type JobOptions,
  type JobOptionsInput,
} from './job-options.ts';
import type { JobState } from './job-status.ts';
import type { Job, NewJob } from './job.ts';

/**
 * The job that a letter is a copy of: a job in a dead letter queue has this option, which no client can set. The letter
 * itself is not delayed, retried, expired or deduplicated by the options of that job; a redrive restores them.
 */
export interface LetterOrigin extends Pick<Job, 'queue' | 'id' | 'failedReason'> {
  /** The options of the job; absent in letters of earlier versions. */
  readonly opts?: Readonly<Record<string, unknown>>;
}

/** The original of a letter as readers get it. */
export interface ShownOrigin extends Pick<Job, 'queue' | 'id'> {
  readonly failedReason: string | null;
  /** Where the original is now; null when it is gone, or for a caller that may not use its queue. */
  readonly state: JobState | null;
}

/** The original of a letter; undefined for any other job. @param opts as any producer may have stored them. */
export function originOfLetter(opts: unknown): LetterOrigin | undefined {
  const origin = isObject(opts) ? opts['origin'] : undefined;
  if (!isObject(origin)) return undefined;
  const { queue, id, failedReason, opts: kept } = origin;
  if (typeof queue !== 'string' || typeof id !== 'string') return undefined;
  return {
    queue: queue as QueueName,
    id,
    ...(typeof failedReason === 'string' && { failedReason }),
    ...(isObject(kept) && { opts: kept }),
  };
}

/** The options of a job that its letter keeps: all, but the letter that the job itself was. */
export function keptOptions(options: object): Readonly<Record<string, unknown>> {
  return without(options as Readonly<Record<string, unknown>>, 'origin');
}

/** The options that a redrive restores: those that clients set, and how the job was sent as a message. */
const RESTORED: ReadonlySet<string> = new Set([...Object.keys(jobOptionFields), 'message']);

/** The job that a letter was made of, as a new job. A letter of an earlier version has only some of its options. */
export function jobOfLetter({
  name,
  data,
  opts,
}: Pick<NewJob, 'name' | 'data'> & { readonly opts: JobOptions }): NewJob {
  const { group, message } = opts;
  const kept = originOfLetter(opts)?.opts ?? {
    ...(group && { group }),
    ...(message !== undefined && { message }),
  };
  const restored = Object.entries(kept).filter(([option]) => RESTORED.has(option));
  const { jobId, ...options } = Object.fromEntries(restored) as JobOptionsInput;
  return {
    name,
    data,
    opts: jobOptions({ ...options, ...(customJobId.accepts(jobId) && { jobId }) }),
  };
}

/** The job without one of its options. */
export function lacking(job: NewJob, option: 'jobId' | 'deduplication'): NewJob {
  return { ...job, opts: without(job.opts, option) as JobOptions };
}
