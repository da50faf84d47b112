import type { DeferralScope } from '../calls/backpressure.ts';
import type { Retention } from '../jobs/job-retention.ts';
import { afterFailure, tooLateToRetry } from '../jobs/job.ts';
import { unusableOption } from '../jobs/usable-job.ts';
import type { Json } from '../values/json.ts';
import type { AttemptEnd, CallOfSeveral, EndedCall } from './attempt-record.ts';
import type { Attempt } from './attempt.ts';
import type { BreakerMove, Verdict } from './breaker.ts';
import type { Claim } from './claim.ts';

/**
 * `keep` is the worker's rule; the job's own rule takes precedence. `call` is the record of the attempt; without one
 * the job ends without an attempt on record.
 *
 * `verdict` is what the call says about its endpoint, for the breaker of the queue. When the calls of as many distinct
 * jobs in a row as the breaker allows found the endpoint down, the breaker opens in the same step: no call starts for a
 * time. Then one attempt at a time is a probe, the only one that may start, and its verdict decides: the breaker
 * closes, or stays open for twice the time. A probe that ends without a verdict decides nothing.
 */
export type AttemptEnding =
  | {
      readonly kind: 'completed';
      readonly returnvalue: Json;
      readonly keep?: Retention | undefined;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly keep?: Retention | undefined;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    }
  /**
   * Another attempt after `delay` ms; it starts ahead of waiting jobs when that time is over. With `half`, the job goes
   * back at once, to be called again with those of the same half alone.
   */
  | {
      readonly kind: 'retry';
      readonly reason: string;
      readonly delay: number;
      readonly half?: string | undefined;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    }
  /**
   * The attempt does not count. Until `until` (epoch ms) the whole queue or the group of the job is held, and the job
   * goes back to the head of its place, in the same step; or the job is delayed by itself. At once, the job goes back and nothing waits. Jobs
   * that go back before another one starts stand in the order in which they had started, also when they are released.
   * With `half`, the call was split again: that is no deferral of the endpoint, and none is counted.
   */
  | {
      readonly kind: 'deferred';
      readonly reason: string;
      readonly scope: DeferralScope;
      readonly until: number;
      readonly half?: string | undefined;
      readonly call: EndedCall;
    };

/** `held` is false when the attempt had lost its job or had already ended: then nothing was recorded. */
export interface Settled {
  readonly held: boolean;
  /** Whether this ending began a hold of the queue. */
  readonly beginsHold?: boolean;
  /** The move of the breaker that the verdict caused, if any. */
  readonly breaker?: BreakerMove;
  /** The outcome of the requested claim. A store may leave it out; the caller must then claim separately. */
  readonly next?: Claim;
}

/** Why a claimed job must fail without an attempt; undefined when it may be processed. */
export function reasonNotToStart({ job, mustFail }: Attempt, now: number): string | undefined {
  return mustFail ?? unusableOption(job) ?? tooLateToRetry(job, now);
}

/**
 * The ending of an attempt that failed now: another attempt later, or the end of the job.
 *
 * @param keep the rule of the worker for failed jobs, if it has one.
 * @param pause the time (ms) to the next attempt, if the endpoint asked for one.
 */
export function attemptFailed(
  keep: Retention | undefined,
  { job, mustFail }: Attempt,
  reason: string,
  call: EndedCall,
  now: number,
  pause?: number,
): AttemptEnding {
  const after = afterFailure(job, now, pause);
  if (!after.retry || mustFail !== undefined) return failedForGood(keep, reason, call);
  return { kind: 'retry', reason, delay: after.delay, call };
}

/**
 * The ending of an attempt that no other one follows.
 *
 * @param keep the rule of the worker for failed jobs, if it has one.
 * @param call absent when the job fails without an attempt on record.
 */
export function failedForGood(
  keep: Retention | undefined,
  reason: string,
  call?: EndedCall,
): AttemptEnding {
  return { kind: 'failed', reason, keep, call };
}

/** The ending with the call with several jobs that the attempt belongs to, if any, for its record. */
export function withCall(ending: AttemptEnding, batch: CallOfSeveral | undefined): AttemptEnding {
  if (batch === undefined || ending.call === undefined) return ending;
  return { ...ending, call: { ...ending.call, batch } };
}

/** The ending with the trace of its attempt, if any, for its record. */
export function withTrace(ending: AttemptEnding, traceId: string | undefined): AttemptEnding {
  if (traceId === undefined || ending.call === undefined) return ending;
  return { ...ending, call: { ...ending.call, traceId } };
}

/**
 * What becomes of a job whose attempt ended. It `ends`; it is `delayed` for some ms; it waits in its `place`, as when it
 * was added; or it goes `back` where it was taken.
 */
export type JobMove =
  | {
      readonly to: 'end';
      readonly status: 'completed' | 'failed';
      readonly keep: Retention | undefined;
    }
  | { readonly to: 'delayed'; readonly delay: number }
  | { readonly to: 'place' }
  | { readonly to: 'back' };

/** What follows from the end of an attempt, besides the breaker. */
export interface AfterEnding {
  readonly move: JobMove;
  /** Whether the attempt counts as made. One that does not is deferred. */
  readonly counts: boolean;
  /** For how long (ms) the queue, or the group of the job, is held in the same step; absent for not at all. */
  readonly holds?: number;
  readonly holdsGroup?: number;
}

/**
 * What the end of an attempt does to its job and queue.
 *
 * @param isGrouped whether the job has a group; the hold of a group it does not have is one of the queue.
 */
export function afterEnding(ending: AttemptEnding, now: number, isGrouped = false): AfterEnding {
  switch (ending.kind) {
    case 'completed':
    case 'failed':
      return { move: { to: 'end', status: ending.kind, keep: ending.keep }, counts: true };
    case 'retry': {
      const { delay } = ending;
      if (ending.half !== undefined) return { move: { to: 'back' }, counts: true };
      return { move: delay > 0 ? { to: 'delayed', delay } : { to: 'place' }, counts: true };
    }
    case 'deferred': {
      const wait = ending.until - now;
      if (wait <= 0) return { move: { to: 'back' }, counts: false };
      if (ending.scope === 'job') return { move: { to: 'delayed', delay: wait }, counts: false };
      const held = ending.scope === 'group' && isGrouped ? { holdsGroup: wait } : { holds: wait };
      return { move: { to: 'back' }, counts: false, ...held };
    }
  }
}

/** What the release of an attempt does to its job, now or after `delay` ms. */
export function afterRelease(delay: number): JobMove {
  return delay > 0 ? { to: 'delayed', delay } : { to: 'back' };
}

/** What an attempt leaves on record as it ends; undefined for one that leaves nothing. */
export function recordOf(ending: AttemptEnding): AttemptEnd | undefined {
  const { call } = ending;
  if (call === undefined) return undefined;
  return { ...call, reason: ending.kind === 'completed' ? (call.doubt ?? null) : ending.reason };
}
