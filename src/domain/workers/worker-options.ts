import { backpressureShape } from '../calls/backpressure.ts';
import { breakerShape } from '../attempts/breaker.ts';
import { retentionShape } from '../attempts/retention.ts';
import { boolean, integer, object, optional, required, type Shaped } from '../values/shape.ts';

export const DEFAULT_CONCURRENCY = 1;
export const DEFAULT_MAX_STALLED_COUNT = 1;

/** At most `max` calls start in any window of `duration`. */
export const limiterShape = object(
  'Limiter',
  {
    max: required(integer(1), 'Most calls that start in a window of time'),
    duration: required(integer(1), 'The length of the window, in milliseconds'),
  },
  'be an object of max and duration',
);

export type Limiter = Shaped<typeof limiterShape>;

/** How a queue's jobs are processed (specification, "WorkerOptions"). */
export const workerOptionsShape = object('WorkerOptions', {
  concurrency: optional(
    integer(1),
    `Most calls at a time, over all replicas; ${DEFAULT_CONCURRENCY} unless given`,
  ),
  maxStalledCount: optional(
    integer(0),
    `How often a job may lose its replica; ${DEFAULT_MAX_STALLED_COUNT} unless given`,
  ),
  limiter: optional(limiterShape, 'Bounds the rate of the calls'),
  breaker: optional(breakerShape, 'Stops the calls for a while when the endpoint does not work'),
  disableOnGone: optional(boolean, 'Whether an answer 410 disables the worker; not unless given'),
  backpressure: optional(
    backpressureShape,
    'Which answers ask to be called later beside a 429 or 503 with Retry-After, and what waits then',
  ),
  removeOnComplete: optional(retentionShape, 'Which completed jobs to keep; all unless given'),
  removeOnFail: optional(retentionShape, 'Which failed jobs to keep; all unless given'),
});

export type WorkerOptions = Shaped<typeof workerOptionsShape>;

/** By how much a limiter's window is stretched: a part of its duration, at most so many milliseconds. */
const [STRETCHED_BY, LONGEST_STRETCH] = [1 / 20, 50];

/**
 * The span of time, in whole milliseconds, in which at most `max` calls start. It is a little longer than
 * `duration`: a call reaches the endpoint some time after its start, now later and now sooner, and shall
 * not be one too many there.
 */
export function limiterWindow({ duration }: Limiter): number {
  return Math.ceil(duration + Math.min(duration * STRETCHED_BY, LONGEST_STRETCH));
}
