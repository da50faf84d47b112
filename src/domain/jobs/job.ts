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
  object,
  optional,
  required,
  text,
  type Shape,
  type Shaped,
} from '../values/shape.ts';

/** Data may be given as the text that it is. */
export const jobData: Shape<Json | JsonText> = {
  ...anyJson,
  schema: { examples: [{ to: 'ada@example.com' }] },
};

/** What a client says of a job, by the names of its fields. */
export const jobInputFields = {
  name: required(
    text('be a string', (name) => name.isWellFormed(), { examples: ['welcome'] }),
    'The kind of job, for the endpoint',
  ),
  data: required(jobData, 'Anything, for the endpoint; null too'),
  opts: optional(jobOptionsShape, 'How the job is processed'),
};

/** A job as a client asks for it (specification, "Job (input)"). */
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
  /** Where it was when it was read. */
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
}

/** A job by itself, wherever it is. */
export type JobFacts = Omit<Job, 'state'>;

/**
 * A job as an add returns it: data that was given as text is returned as the same, and an existing job is
 * its `id` alone where the answer would be too large.
 */
export type AddedJob = Pick<Job, 'id'> &
  Partial<Omit<JobFacts, 'id' | 'data'> & Pick<NewJob, 'data'>> & {
    /** Whether its id is that of the one that was to be added. */
    readonly existed?: true;
    /** Whether it stands for the deduplication id of the one that was to be added. */
    readonly deduplicated?: true;
  };

/** Whether the add found a job in place of the one that was to be added. */
export function wasThere({ existed, deduplicated }: AddedJob): boolean {
  return existed === true || deduplicated === true;
}

/**
 * Most bytes of existing jobs that the answer to one add repeats, each as often as its id stands in the
 * batch; beyond, every existing job is its `id` alone. A short request would else ask for any amount.
 */
export const MAX_EXISTING_BYTES = 64 * 1024 * 1024;

/**
 * @param defaults options that it gets where it has none of its own.
 * @throws DomainError `invalid-request` naming the field under `path`, such as `[3].name`.
 */
export function newJob(input: JobInput, path: string, defaults?: JobOptionsInput): NewJob {
  checkShape(jobInputShape, input, path);
  const { name, data, opts = {} } = input;
  return { name, data, opts: jobOptions(defaults === undefined ? opts : { ...defaults, ...opts }) };
}

/** What follows when an attempt failed: another attempt after `delay` ms, or the end of the job. */
export type AfterFailure =
  { readonly retry: true; readonly delay: number } | { readonly retry: false };

/**
 * `attempts` counts all attempts, the first included; 0 and 1 both mean that one (JobOpts).
 *
 * @param now when the attempt failed, epoch ms.
 * @param pause the time (ms) to the next attempt that the endpoint asked for, in place of the job's own.
 */
export function afterFailure(job: Job, now: number, pause?: number): AfterFailure {
  const attemptsMade = job.attemptsMade + 1;
  if (attemptsMade >= job.opts.attempts) return { retry: false };
  const delay = pause ?? backoffDelay(job.opts.backoff, attemptsMade);
  return mayRetryAt(job, now + delay) ? { retry: true, delay } : { retry: false };
}

/**
 * Why the job fails without the attempt that is about to start: it is a further one and comes too late, as when
 * the queue was paused, so that the reason of the one before stands. Undefined when it may start.
 */
export function tooLateToRetry(job: Job, now: number): string | undefined {
  return job.attemptsMade === 0 || mayRetryAt(job, now) ? undefined : job.failedReason;
}

/** Whether a further attempt may start then. Other producers' jobs may have something else of that name. */
export function mayRetryAt({ timestamp, opts }: Job, time: number): boolean {
  return typeof opts.retryFor !== 'number' || time <= timestamp + opts.retryFor;
}

/** How many failure reasons a job keeps, so that many retries cannot grow it without bound. */
export const KEPT_REASONS = 10;

export function withFailure(stacktrace: string[] | null, reason: string): string[] {
  return [...(stacktrace ?? []), reason].slice(-KEPT_REASONS);
}
