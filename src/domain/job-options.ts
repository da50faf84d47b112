import { backoffDelayShape, backoffShape, type Backoff } from './backoff.ts';
import { callTimeoutShape } from './call-timeout.ts';
import { deduplicationShape, type DeduplicationOptions } from './deduplication.ts';
import { customJobId } from './job-id.ts';
import { jobRetentionShape, type JobRetention } from './retention.ts';
import { boolean, either, integer, object, optional, type Shaped } from './shape.ts';

export const HIGHEST_PRIORITY_NUMBER = 2_097_152;

/** How many log lines a job keeps, the last ones, so that an endpoint cannot grow it without bound. */
export const KEPT_LOG_LINES = 1000;

/** The options that a client may give, by their names. */
export const jobOptionFields = {
  attempts: optional(integer(0), 'How often the job is tried in all; 0 means once, as 1 does'),
  backoff: optional(
    either('number', backoffDelayShape, backoffShape),
    'The wait before another attempt; a number is that many milliseconds each time',
  ),
  delay: optional(integer(0), 'Milliseconds before the job may start'),
  priority: optional(
    integer(0, HIGHEST_PRIORITY_NUMBER),
    'The lowest number goes first, after all jobs without a priority; 0 means none',
  ),
  lifo: optional(boolean, 'Whether the job goes before those that wait already'),
  jobId: optional(customJobId, 'An id of your own; a job whose id exists already is not added'),
  removeOnComplete: optional(
    jobRetentionShape,
    'Which completed jobs stay when it completes: all (false), all but itself (true), or so many',
  ),
  removeOnFail: optional(
    jobRetentionShape,
    'Which failed jobs stay when it fails: all (false), all but itself (true), or so many',
  ),
  keepLogs: optional(integer(1), `How many lines its log keeps; ${KEPT_LOG_LINES} unless given`),
  timeout: optional(
    callTimeoutShape,
    'Longest duration of a call for it, in milliseconds, where its endpoint does not allow less',
  ),
  ttl: optional(
    integer(1),
    'Milliseconds since it was added in which its first attempt must start, or else it fails',
  ),
  retryFor: optional(
    integer(0),
    'Milliseconds since it was added after which no further attempt starts; the last reason stands then',
  ),
  deduplication: optional(
    deduplicationShape,
    'What keeps the job from being added while another one stands for the same',
  ),
};

/** Options as a client may give them (specification, "JobOpts"). */
export const jobOptionsShape = object('JobOptions', jobOptionFields);

export type JobOptionsInput = Shaped<typeof jobOptionsShape>;

/**
 * Options of a stored job, defaults applied. Other producers of the same queue may have stored
 * options this service does not know: they are kept and returned as they are.
 */
export interface JobOptions {
  readonly attempts: number;
  readonly delay: number;
  readonly backoff?: Backoff;
  readonly priority?: number;
  readonly lifo?: boolean;
  readonly jobId?: string;
  readonly removeOnComplete?: JobRetention;
  readonly removeOnFail?: JobRetention;
  readonly keepLogs?: number;
  readonly timeout?: number;
  readonly ttl?: number;
  readonly retryFor?: number;
  readonly deduplication?: DeduplicationOptions;
  readonly [other: string]: unknown;
}

/**
 * Applies the defaults of the specification to options that were checked: `attempts` and `delay` are 0
 * when unset.
 */
export function jobOptions({ backoff, ...plain }: JobOptionsInput): JobOptions {
  const options = { ...plain, attempts: plain.attempts ?? 0, delay: plain.delay ?? 0 };
  return backoff === undefined ? options : { ...options, backoff: normalBackoff(backoff) };
}

/** A bare number means that many milliseconds each time. */
export function normalBackoff(backoff: number | Backoff): Backoff {
  return typeof backoff === 'number' ? { type: 'fixed', delay: backoff } : backoff;
}
