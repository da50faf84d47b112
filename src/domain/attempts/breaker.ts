import type { EndedCall } from './attempt-record.ts';
import type { AttemptKey } from './attempt.ts';
import type { ClaimRequest } from './claim.ts';
import { integer, object, optional, required, type Shaped } from '../values/shape.ts';

const DEFAULT_OPEN_FOR = 30_000;
const DEFAULT_MAX_OPEN_FOR = 600_000;

/**
 * When a claim that was refused during a probe is made again, in milliseconds. The end of the probe is signalled at once;
 * this is for replicas that missed the signal, and for a probe that ends without a verdict.
 */
export const PROBE_CHECK = 1000;

/** When calls to an endpoint that does not work are stopped for a while. */
export const breakerShape = object('Breaker', {
  failures: required(
    integer(1, 1000),
    'How many jobs in a row must end in a connection error, a timeout or 5xx',
  ),
  openFor: optional(
    integer(1),
    `For how many milliseconds no call starts then; ${DEFAULT_OPEN_FOR} unless given`,
  ),
  maxOpenFor: optional(
    integer(1),
    `Up to how many milliseconds that time doubles with each probe that fails; ${DEFAULT_MAX_OPEN_FOR} unless given`,
  ),
});

export type Breaker = Shaped<typeof breakerShape>;

/** What the end of a call shows about its endpoint, and the terms of the breaker that it counts for. */
export interface Verdict {
  readonly isDown: boolean;
  /** Why the call failed. */
  readonly reason: string;
  readonly failures: number;
  readonly openFor: number;
  /** At least `openFor`. */
  readonly maxOpenFor: number;
  /** Whether it counts only where the attempt is the probe. */
  readonly isOfProbe?: boolean;
}

/** For an attempt that its endpoint itself reports as ended: the endpoint is alive. A pulled job shows nothing about it. */
export const REPORTED: Verdict = {
  isDown: false,
  reason: '',
  failures: 1,
  openFor: 1,
  maxOpenFor: 1,
  isOfProbe: true,
};

/** What a verdict did to the breaker of its queue. A probe that failed opens none: it stays open. */
export type BreakerMove = 'opened' | 'closed';

/** @param reason why the call failed, empty when it did not. */
export function verdictOn(call: EndedCall, reason: string, breaker: Breaker): Verdict {
  const { failures, openFor = DEFAULT_OPEN_FOR, maxOpenFor = DEFAULT_MAX_OPEN_FOR } = breaker;
  const { outcome, status = 0 } = call;
  const hasAnswer = outcome !== 'refused' && outcome !== 'timeout';
  const isDown = outcome !== 'completed' && (!hasAnswer || status >= 500);
  return { isDown, reason, failures, openFor, maxOpenFor: Math.max(openFor, maxOpenFor) };
}

/** A breaker that lets no call start, or only a probe. Times are epoch milliseconds of the store. */
export interface OpenBreaker {
  readonly since: number;
  /** Until when no call starts; absent when that is over, and a probe decides. */
  readonly until?: number;
  /** Why the last of the calls failed. */
  readonly reason: string;
}

/** Where the breaker of a queue stands. Times are epoch milliseconds of the store. */
export interface BreakerState {
  /** The jobs of the latest calls, each once, all of which found the endpoint down. */
  readonly failedJobs: readonly string[];
  /** How it is open, absent while it is closed. */
  readonly open?: {
    readonly since: number;
    readonly until: number;
    /** The latest time without calls, in milliseconds. */
    readonly openFor: number;
    readonly reason: string;
  };
  /** The attempt that may run while it is open, the only one; it may have ended. */
  readonly probe?: AttemptKey;
}

/** A breaker that no call has failed under. */
export const CLOSED_BREAKER: BreakerState = { failedJobs: [] };

/** The breaker as a claim leaves it: that of a worker without a breaker removes what another worker left. */
export function breakerAtClaim(
  state: BreakerState,
  { isPulled, hasBreaker }: ClaimRequest,
): BreakerState {
  return isPulled !== true && hasBreaker !== true ? CLOSED_BREAKER : state;
}

/**
 * Until when (epoch ms) no call starts; undefined when one may start now, as the probe where the breaker is open.
 *
 * @param isProbing whether the probe still holds its job.
 */
export function breakerClosedUntil(
  { open }: BreakerState,
  isProbing: boolean,
  now: number,
): number | undefined {
  if (open === undefined) return undefined;
  if (open.until > now) return open.until;
  return isProbing ? now + PROBE_CHECK : undefined;
}

/** The breaker after an attempt started: where it is open, the attempt is the probe. */
export function breakerAfterStart(
  state: BreakerState,
  { jobId, token }: AttemptKey,
  { isPulled }: ClaimRequest,
): BreakerState {
  if (state.open === undefined || isPulled === true) return state;
  return { ...state, probe: { jobId, token } };
}

/** The breaker after a verdict, and the move that this was, if any. */
export interface JudgedCall {
  readonly state: BreakerState;
  readonly move?: BreakerMove;
}

/** Applies the verdict on the call of an attempt. While the breaker is open, the probe alone is judged. */
export function judged(
  state: BreakerState,
  { jobId, token }: AttemptKey,
  verdict: Verdict,
  now: number,
): JudgedCall {
  const { isDown, reason, failures, openFor, maxOpenFor } = verdict;
  const { failedJobs, open, probe } = state;
  if (open !== undefined) {
    if (probe?.token !== token) return { state };
    if (!isDown) return { state: CLOSED_BREAKER, move: 'closed' };
    const longer = Math.min(2 * open.openFor, maxOpenFor);
    const next = { since: open.since, until: now + longer, openFor: longer, reason };
    return { state: { failedJobs, open: next } };
  }
  if (verdict.isOfProbe === true) return { state };
  if (!isDown) return { state: CLOSED_BREAKER };
  const failed = failedJobs.includes(jobId) ? failedJobs : [...failedJobs, jobId];
  if (failed.length < failures) return { state: { failedJobs: failed } };
  const opened = { since: now, until: now + openFor, openFor, reason };
  return { state: { failedJobs: [], open: opened }, move: 'opened' };
}

/** The breaker as it is shown; undefined while it is closed. */
export function openBreaker({ open }: BreakerState, now: number): OpenBreaker | undefined {
  if (open === undefined) return undefined;
  const { since, until, reason } = open;
  return { since, reason, ...(until > now && { until }) };
}
