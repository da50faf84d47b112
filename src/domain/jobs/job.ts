import { backoffDelay } from './backoff.ts';
import { checkShape } from '../values/check-shape.ts';
import {
  jobOptions,
  jobOptionsShape,
  type JobOptions,
  type JobOptionsInput,
} from './job-options.ts';
import type { JobState } from './job-status.ts';
import type { Json, JsonText } from '../values/json.ts';
import type { QueueName } from '../queues/queue-name.ts';
import {
  anyJson,
  bounded,
  object,
  optional,
  required,
  text,
  type Shape,
  type Shaped,
} from '../values/shape.ts';

/** Data may be given as JSON text, which is passed on unparsed. */
export const jobData: Shape<Json | JsonText> = {
  ...anyJson,
  schema: { examples: [{ to: 'ada@example.com' }] },
};

/** The most characters of a job's name, which each call carries in a header. */
const MAX_JOB_NAME = 100_000;

/** The fields of a job that a client sends. */
export const jobInputFields = {
  name: required(
    bounded(
      MAX_JOB_NAME,
      text('be a string', (name) => name.isWellFormed(), { examples: ['welcome'] }),
    ),
    'The kind of job, for the endpoint',
  ),
  data: required(jobData, 'Anything, for the endpoint; null too'),
  opts: optional(jobOptionsShape, 'How the job is processed'),
};

/** A job as a client requests it (specification, "Job (input)"). */
export const jobInputShape = object('Job', jobInputFields);

export type JobInput = Shaped<typeof jobInputShape>;

/** A job that passed every rule and may be stored. */
export interface NewJob {
  readonly name: string;
  readonly data: Json | JsonText;
  readonly opts: JobOptions;
}

/** A stored job. Times are epoch milliseconds, `delay` milliseconds. */
export interface Job {
  readonly queue: QueueName;
  /** Its state when it was read. */
  readonly state: JobState;
  readonly id: string;
  readonly name: string;
  readonly data: Json;
  readonly opts: JobOptions;
  readonly progress: Json;
  readonly returnvalue: Json;
  readonly failedReason?: string;
  /** The reasons of its failed attempts, oldest first; null until an attempt fails. */
  readonly stacktrace: string[] | null;
  readonly attemptsStarted: number;
  readonly attemptsMade: number;
  readonly delay: number;
  readonly timestamp: number;
  readonly processedOn?: number;
  readonly finishedOn?: number;
  /** Its latest end that a callback followed: which one it was, from 1, and when (epoch ms). */
  readonly calledBack?: { readonly run: number; readonly at: number };
  /** When (epoch ms) its values were removed. */
  readonly redactedOn?: number;
}

/** A job without its state. */
export type JobFacts = Omit<Job, 'state'>;

/**
 * A job as an add returns it: data that was given as text is returned as that text, and an existing job is reduced to
 * its `id` when the answer would be too large.
 */
export type AddedJob = Pick<Job, 'id'> &
  Partial<Omit<JobFacts, 'id' | 'data'> & Pick<NewJob, 'data'>> & {
    /** Whether the id of the requested job already existed. */
    readonly existed?: true;
    /** Whether this job stands for the deduplication id of the requested one. */
    readonly deduplicated?: true;
  };

/** Whether the add found an existing job in place of the requested one. */
export function wasThere({ existed, deduplicated }: AddedJob): boolean {
  return existed === true || deduplicated === true;
}

/**
 * How many bytes of existing jobs the answer to one add may repeat, counting each as often as its id occurs in the
 * batch; beyond that, every existing job is reduced to its `id`. Otherwise a short request could demand an answer of
 * any size.
 */
export const MAX_EXISTING_BYTES = 64 * 1024 * 1024;

/** The options of all jobs that set none: a store recognizes them by identity and writes their text once a batch. */
const PLAIN_OPTIONS = jobOptions({});

/**
 * @param defaults options for a job that does not set them.
 * @throws DomainError `invalid-request` naming the field under `path`, such as `[3].name`.
 */
export function newJob(input: JobInput, path: string, defaults?: JobOptionsInput): NewJob {
  checkShape(jobInputShape, input, path);
  const { name, data, opts } = input;
  const given = defaults === undefined ? opts : { ...defaults, ...opts };
  return { name, data, opts: given === undefined ? PLAIN_OPTIONS : jobOptions(given) };
}

/** How long (ms) the job waited for its first attempt; undefined once that is over. */
export function waitForFirst(job: JobFacts): number | undefined {
  if (job.attemptsStarted !== 1 || job.processedOn === undefined) return undefined;
  const waited = job.processedOn - job.timestamp - job.opts.delay;
  // The clocks of replicas differ, and records of other programs may contain no times at all.
  return waited > 0 ? waited : 0;
}

/** What follows a failed attempt: another attempt after `delay` ms, or the end of the job. */
export type AfterFailure =
  { readonly retry: true; readonly delay: number } | { readonly retry: false };

/**
 * `attempts` includes the first attempt; 0 and 1 both mean a single one (JobOpts).
 *
 * @param now when the attempt failed, epoch ms.
 * @param pause how long (ms) the endpoint asked to wait before the next attempt, in place of the job's backoff.
 */
export function afterFailure(job: Job, now: number, pause?: number): AfterFailure {
  const attemptsMade = job.attemptsMade + 1;
  if (attemptsMade >= job.opts.attempts) return { retry: false };
  const delay = pause ?? backoffDelay(job.opts.backoff, attemptsMade);
  return mayRetryAt(job, now + delay) ? { retry: true, delay } : { retry: false };
}

/**
 * Why the job fails instead of starting its next attempt: a retry that would start too late, such as after a pause of
 * the queue. The reason is that of the previous attempt. Undefined when the attempt may start.
 */
export function tooLateToRetry(job: Job, now: number): string | undefined {
  return job.attemptsMade === 0 || mayRetryAt(job, now) ? undefined : job.failedReason;
}

/** Whether a retry may start at this time. Other producers may have stored a different kind of value in this option. */
export function mayRetryAt({ timestamp, opts }: Job, time: number): boolean {
  return typeof opts.retryFor !== 'number' || time <= timestamp + opts.retryFor;
}

/** How many failure reasons a job keeps, so that many retries cannot grow it without bound. */
export const KEPT_REASONS = 10;

export function withFailure(stacktrace: string[] | null, reason: string): string[] {
  return [...(stacktrace ?? []), reason].slice(-KEPT_REASONS);
}
