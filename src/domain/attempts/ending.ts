import type { DeferralScope } from '../calls/backpressure.ts';
import type { Retention } from '../jobs/job-retention.ts';
import { afterFailure, tooLateToRetry } from '../jobs/job.ts';
import { unusableOption } from '../jobs/usable-job.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { Json } from '../values/json.ts';
import type { AttemptEnd, CallOfSeveral, EndedCall } from './attempt-record.ts';
import type { Attempt } from './attempt.ts';
import type { BreakerMove, Verdict } from './breaker.ts';
import type { Claim } from './claim.ts';
import type { SuspensionRefusal, SuspensionRequest } from '../steps/suspension-request.ts';

/**
 * `keep` is the worker's rule; the job's own rule takes precedence. `call` is the record of the attempt; without it,
 * the job ends without an attempt on record.
 *
 * `verdict` is what the call shows about its endpoint, for the breaker of the queue. Once the calls of as many distinct
 * jobs in a row as the breaker allows have found the endpoint down, the breaker opens in the same step: no call starts
 * for a while. Then one attempt at a time may start, the probe, and its verdict decides: the breaker closes, or stays
 * open for twice as long. A probe that ends without a verdict changes nothing.
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
      /**
       * Gets a copy of the job in the same step, in place of what the callback of the job asks for. The copy keeps its
       * group, and its id unless that is taken there.
       */
      readonly deadLetterQueue?: QueueName | undefined;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    }
  /**
   * Another attempt follows after `delay` ms; once due, it starts ahead of waiting jobs. With `half`, the job goes back
   * at once, to be called again only with the jobs of the same half.
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
   * The attempt does not count. Depending on the scope, the whole queue or the group of the job is held until `until`
   * (epoch ms) and the job goes back to the head of its place in the same step, or the job alone is delayed. If `until`
   * has passed, the job goes back and nothing waits. Jobs that go back before another one starts keep the order in
   * which they had started; so do released jobs. With `half`, the call was split again: the endpoint did not ask for
   * this, so it does not count as a deferral.
   */
  | {
      readonly kind: 'deferred';
      readonly reason: string;
      readonly scope: DeferralScope;
      readonly until: number;
      /**
       * Where a job without a group goes if `until` has passed: ahead of those that wait, or behind them, like a job that
       * is retried. Where it was taken is harder to find, the more jobs are active.
       */
      readonly place?: 'ahead' | 'behind' | undefined;
      readonly half?: string | undefined;
      readonly call: EndedCall;
    }
  /** The attempt does not count. The steps are saved and the job rests, or neither (further contract, section 22). */
  | {
      readonly kind: 'suspended';
      readonly request: SuspensionRequest;
      readonly call?: EndedCall | undefined;
      readonly verdict?: Verdict | undefined;
    };

/** `held` is false when the attempt had lost its job or had already ended; then nothing was recorded. */
export interface Settled {
  readonly held: boolean;
  /** Why a suspension was refused: then the attempt still holds its job, and nothing was recorded. */
  readonly refusal?: SuspensionRefusal;
  /** Whether this ending started a hold of the queue. */
  readonly beginsHold?: boolean;
  /** How the verdict changed the breaker, if it did. */
  readonly breaker?: BreakerMove;
  /**
   * The outcome of the requested claim; undefined where it was not made, or what it took cannot be read. The attempt has
   * ended all the same, and the caller must repeat the claim with its token.
   */
  readonly next?: Claim | undefined;
}

/** Why a claimed job must fail without an attempt; undefined when it may be processed. */
export function reasonNotToStart(attempt: Attempt, now: number): string | undefined {
  const { job, mustFail, isWake = false } = attempt;
  return mustFail ?? unusableOption(job) ?? (isWake ? undefined : tooLateToRetry(job, now));
}

/**
 * The ending of an attempt that has just failed: either another attempt follows, or the job ends.
 *
 * @param keep the rule of the worker for failed jobs, if it has one.
 * @param pause how long (ms) to wait before the next attempt, if the endpoint asked for a wait.
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
 * The ending of an attempt after which no other one follows.
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

/** The ending of an attempt whose answer did not suspend its job. @param keep as in `attemptFailed`. */
export function suspensionRefused(
  keep: Retention | undefined,
  attempt: Attempt,
  { reason, isFinal }: SuspensionRefusal,
  call: EndedCall | undefined,
  now: number,
): AttemptEnding {
  const failed = { ...call, outcome: 'failed' } as const;
  return isFinal
    ? failedForGood(keep, reason, failed)
    : attemptFailed(keep, attempt, reason, failed, now);
}

/** The ending, with the call for several jobs that the attempt belongs to added to its record, if any. */
export function withCall(ending: AttemptEnding, batch: CallOfSeveral | undefined): AttemptEnding {
  if (batch === undefined || ending.call === undefined) return ending;
  return { ...ending, call: { ...ending.call, batch } };
}

/** The ending, with the trace of its attempt added to its record, if any. */
export function withTrace(ending: AttemptEnding, traceId: string | undefined): AttemptEnding {
  if (traceId === undefined || ending.call === undefined) return ending;
  return { ...ending, call: { ...ending.call, traceId } };
}

/**
 * Where a job goes when its attempt ends: it `end`s, is `delayed` for some ms, waits in its `place` as a new job does
 * or ahead of those that wait, or goes `back` to where it was taken from.
 */
export type JobMove =
  | {
      readonly to: 'end';
      readonly status: 'completed' | 'failed';
      readonly keep: Retention | undefined;
      readonly deadLetterQueue?: QueueName | undefined;
    }
  | { readonly to: 'delayed'; readonly delay: number }
  | { readonly to: 'place'; readonly isAhead?: boolean }
  | { readonly to: 'back' };

/** What follows from the end of an attempt, apart from the breaker. */
export interface AfterEnding {
  readonly move: JobMove;
  /** Whether the attempt counts towards `attempts`; a deferred one does not. */
  readonly counts: boolean;
  /** How long (ms) the queue, or the group of the job, is held in the same step; absent for no hold. */
  readonly holds?: number;
  readonly holdsGroup?: number;
}

/** An ending that moves its job by this table. A suspension decides for itself. */
export type MovingEnding = Exclude<AttemptEnding, { readonly kind: 'suspended' }>;

/**
 * What the end of an attempt does to its job and queue.
 *
 * @param isGrouped whether the job has a group; without one, a hold of the group becomes a hold of the queue.
 */
export function afterEnding(ending: MovingEnding, now: number, isGrouped = false): AfterEnding {
  switch (ending.kind) {
    case 'completed':
      return { move: { to: 'end', status: ending.kind, keep: ending.keep }, counts: true };
    case 'failed': {
      const { kind: status, keep, deadLetterQueue } = ending;
      const move = {
        to: 'end',
        status,
        keep,
        ...(deadLetterQueue && { deadLetterQueue }),
      } as const;
      return { move, counts: true };
    }
    case 'retry': {
      const { delay } = ending;
      if (ending.half !== undefined) return { move: { to: 'back' }, counts: true };
      return { move: delay > 0 ? { to: 'delayed', delay } : { to: 'place' }, counts: true };
    }
    case 'deferred': {
      const wait = ending.until - now;
      if (wait <= 0) {
        const { place } = ending;
        if (place === undefined) return { move: { to: 'back' }, counts: false };
        return { move: { to: 'place', isAhead: place === 'ahead' }, counts: false };
      }
      if (ending.scope === 'job') return { move: { to: 'delayed', delay: wait }, counts: false };
      const held = ending.scope === 'group' && isGrouped ? { holdsGroup: wait } : { holds: wait };
      return { move: { to: 'back' }, counts: false, ...held };
    }
  }
}

/** Where the release of an attempt moves its job, now or after `delay` ms. */
export function afterRelease(delay: number): JobMove {
  return delay > 0 ? { to: 'delayed', delay } : { to: 'back' };
}

/** What an attempt records as it ends; undefined when it records nothing. */
export function recordOf(ending: AttemptEnding): AttemptEnd | undefined {
  const { call } = ending;
  if (call === undefined) return undefined;
  return { ...call, reason: 'reason' in ending ? ending.reason : (call.doubt ?? null) };
}
