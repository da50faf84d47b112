import type { EndedCall } from '../attempts/attempt-record.ts';
import type { Attempt } from '../attempts/attempt.ts';
import { attemptFailed, failedForGood, type AttemptEnding } from '../attempts/ending.ts';
import { askedPause, mayDefer } from '../calls/backpressure.ts';
import type { EndpointAnswer } from '../calls/delivery.ts';
import { forbidsRetry } from '../calls/no-retry.ts';
import { mayRetryAt } from '../jobs/job.ts';
import type { WorkerOptions } from '../workers/worker-options.ts';
import type { ItemOutcome } from './batch-answer.ts';

/** The ending of an attempt of which the answer to its call says what became of it. @param now epoch ms. */
export function endingOfItem(
  opts: WorkerOptions,
  attempt: Attempt,
  item: ItemOutcome,
  call: EndedCall,
  now: number,
): AttemptEnding {
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

/** A call for several jobs that failed, and did so for all of them. */
export interface FailedBatch {
  readonly id: string;
  readonly reason: string;
  /** The record of the call. */
  readonly call: EndedCall;
  /** Absent when no answer came. */
  readonly answer?: EndpointAnswer | undefined;
  /** Whether no other attempt may follow. */
  readonly isFinal: boolean;
  /** Whether the call itself failed, and not only its answer, so that halves of it may do better. */
  readonly isWhole: boolean;
  /** How many jobs it had. */
  readonly size: number;
}

/**
 * The ending of an attempt whose whole call failed. Where calls are split, each half of the jobs comes again by itself
 * until each is alone; of these calls only the first one and those of one job count as attempts.
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
