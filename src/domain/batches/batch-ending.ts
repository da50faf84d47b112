import { withCost, type EndedCall } from '../attempts/attempt-record.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { attemptFailed, failedForGood, type AttemptEnding } from '../attempts/ending.ts';
import { askedPause, mayDefer } from '../calls/backpressure.ts';
import type { EndpointAnswer } from '../calls/delivery.ts';
import { forbidsRetry } from '../calls/no-retry.ts';
import { mayRetryAt } from '../jobs/job.ts';
import type { WorkerOptions } from '../workers/worker-options.ts';
import type { ItemOutcome } from './batch-answer.ts';

/** The ending of an attempt, by what the answer of its call reports about its job. @param now epoch ms. */
export function endingOfItem(
  opts: WorkerOptions,
  attempt: Attempt,
  item: ItemOutcome,
  called: EndedCall,
  now: number,
): AttemptEnding {
  const call = withCost(called, item.cost);
  if (item.status === 'completed') {
    return { kind: 'completed', returnvalue: item.value, keep: opts.removeOnComplete, call };
  }
  const { reason, delay } = item;
  const failed: EndedCall = { ...call, outcome: 'failed' };
  const keep = opts.removeOnFail;
  if (item.status === 'failed' && !item.retry) return failedForGood(keep, reason, failed);
  const until = now + (delay ?? 0);
  const defers =
    item.status === 'deferred' &&
    mayDefer(opts.backpressure, attempt.deferrals) &&
    mayRetryAt(attempt.job, until);
  if (!defers) return attemptFailed(keep, attempt, reason, failed, now, delay);
  return { kind: 'deferred', reason, scope: 'job', until, call: { ...call, outcome: 'deferred' } };
}

/** A call for several jobs in which all of them failed. */
export interface FailedBatch {
  readonly id: string;
  readonly reason: string;
  /** The record of the call. */
  readonly call: EndedCall;
  /** Absent when no answer came. */
  readonly answer?: EndpointAnswer | undefined;
  /** Whether no further attempt may follow. */
  readonly isFinal: boolean;
  /** Whether the call itself failed, rather than only its answer, so that smaller calls may succeed. */
  readonly isWhole: boolean;
  /** How many jobs the call had. */
  readonly size: number;
}

/**
 * The ending of an attempt whose whole call failed. If calls are split, each half of the jobs is called again
 * separately, down to single jobs. Of these calls, only the first one and those with one job count as attempts.
 *
 * @param position of the job in the call.
 * @param now epoch ms.
 */
export function endingOfFailedBatch(
  opts: WorkerOptions,
  attempt: Attempt,
  position: number,
  { id, reason, call, answer, isFinal, isWhole, size }: FailedBatch,
  now: number,
): AttemptEnding {
  const keep = opts.removeOnFail;
  if (isFinal || (answer !== undefined && forbidsRetry(answer))) {
    return failedForGood(keep, reason, call);
  }
  const { job, deferrals = 0 } = attempt;
  const isGrouped = job.opts.group !== undefined;
  const pause = answer && askedPause(answer, opts.backpressure, deferrals, now, isGrouped);
  const deferred: EndedCall = { ...call, outcome: 'deferred' };
  if (pause?.defers !== undefined && mayRetryAt(job, now + pause.wait)) {
    return {
      kind: 'deferred',
      reason,
      scope: pause.defers,
      until: now + pause.wait,
      call: deferred,
    };
  }
  if (opts.batch?.split !== true || !isWhole || size === 1) {
    return attemptFailed(keep, attempt, reason, call, now, pause?.wait);
  }
  const half = `${id}.${position < Math.ceil(size / 2) ? 1 : 2}`;
  if (attempt.half !== undefined) {
    return { kind: 'deferred', reason, scope: 'job', until: now, half, call: deferred };
  }
  const first = attemptFailed(keep, attempt, reason, call, now, 0);
  return first.kind === 'retry' ? { ...first, half } : first;
}
