import { batchShape } from '../calls/batch-options.ts';
import { backpressureShape } from '../calls/backpressure.ts';
import { groupDefaultsShape } from '../groups/group-settings.ts';
import { breakerShape } from '../attempts/breaker.ts';
import { limiterShape } from '../queues/limiter.ts';
import { retentionShape } from '../jobs/job-retention.ts';
import { boolean, integer, object, optional, type Shaped } from '../values/shape.ts';

export const DEFAULT_CONCURRENCY = 1;
export const DEFAULT_MAX_STALLED_COUNT = 1;

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
  batch: optional(batchShape, 'Sends several jobs with one call; one a call unless given'),
  groups: optional(groupDefaultsShape, 'The terms of every group of jobs'),
  removeOnComplete: optional(retentionShape, 'Which completed jobs to keep; all unless given'),
  removeOnFail: optional(retentionShape, 'Which failed jobs to keep; all unless given'),
});

export type WorkerOptions = Shaped<typeof workerOptionsShape>;
