import type { EndedCall } from './attempt-record.ts';
import type { AttemptKey } from './attempt.ts';
import type { ClaimRequest } from './claim.ts';
import { integer, object, optional, required, type Shaped } from '../values/shape.ts';

const DEFAULT_OPEN_FOR = 30_000;
const DEFAULT_MAX_OPEN_FOR = 600_000;

/**
 * How long (ms) a claim that was refused during a probe waits before it tries again. The end of the probe is signalled
 * at once; this covers replicas that missed the signal, and a probe that ends without a verdict.
 */
export const PROBE_CHECK = 1000;

/** When calls to a failing endpoint are suspended for a while. */
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

/** What the end of a call shows about its endpoint, and the settings of the breaker that it counts towards. */
export interface Verdict {
  readonly isDown: boolean;
  /** Why the call failed. */
  readonly reason: string;
  readonly failures: number;
  readonly openFor: number;
  /** At least `openFor`. */
  readonly maxOpenFor: number;
  /** Whether the verdict counts only when the attempt is the probe. */
  readonly isOfProbe?: boolean;
}

/** For an attempt whose endpoint itself reports the end: the endpoint is alive. A pulled job shows nothing about it. */
export const REPORTED: Verdict = {
  isDown: false,
  reason: '',
  failures: 1,
  openFor: 1,
  maxOpenFor: 1,
  isOfProbe: true,
};

/** How a verdict changed the breaker of its queue. A failed probe does not open it: it stays open. */
export type BreakerMove = 'opened' | 'closed';

/** @param reason why the call failed, empty when it did not. */
export function verdictOn(call: EndedCall, reason: string, breaker: Breaker): Verdict {
  const { failures, openFor = DEFAULT_OPEN_FOR, maxOpenFor = DEFAULT_MAX_OPEN_FOR } = breaker;
  const { outcome, status = 0 } = call;
  const hasAnswer = outcome !== 'refused' && outcome !== 'timeout';
  const isDown = outcome !== 'completed' && (!hasAnswer || status >= 500);
  return { isDown, reason, failures, openFor, maxOpenFor: Math.max(openFor, maxOpenFor) };
}

/** An open breaker, which lets no call start, or only a probe. Times are epoch milliseconds of the store. */
export interface OpenBreaker {
  readonly since: number;
  /** Until when no call starts; absent once that time has passed and a probe decides. */
  readonly until?: number;
  /** Why the last of the failed calls failed. */
  readonly reason: string;
}

/** The state of the breaker of a queue. Times are epoch milliseconds of the store. */
export interface BreakerState {
  /** The distinct jobs of the latest calls, all of which found the endpoint down. */
  readonly failedJobs: readonly string[];
  /** Present while the breaker is open. */
  readonly open?: {
    readonly since: number;
    readonly until: number;
    /** The current time without calls, in milliseconds. */
    readonly openFor: number;
    readonly reason: string;
  };
  /** The only attempt that may run while the breaker is open; it may have ended. */
  readonly probe?: AttemptKey;
}

/** A closed breaker without failures. */
export const CLOSED_BREAKER: BreakerState = { failedJobs: [] };

/** The breaker after a claim. A worker without a breaker resets the state that an earlier worker left. */
export function breakerAtClaim(
  state: BreakerState,
  { isPulled, hasBreaker }: ClaimRequest,
): BreakerState {
  return isPulled !== true && hasBreaker !== true ? CLOSED_BREAKER : state;
}

/**
 * Until when (epoch ms) no call starts; undefined when one may start now, as the probe if the breaker is open.
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

/** The breaker after an attempt started. While it is open, that attempt is the probe. */
export function breakerAfterStart(
  state: BreakerState,
  { jobId, token }: AttemptKey,
  { isPulled }: ClaimRequest,
): BreakerState {
  if (state.open === undefined || isPulled === true) return state;
  return { ...state, probe: { jobId, token } };
}

/** The breaker after a verdict, and whether the verdict opened or closed it. */
export interface JudgedCall {
  readonly state: BreakerState;
  readonly move?: BreakerMove;
}

/** Applies the verdict on the call of an attempt. While the breaker is open, only the probe is judged. */
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

/** The open breaker as the API shows it; undefined while it is closed. */
export function openBreaker({ open }: BreakerState, now: number): OpenBreaker | undefined {
  if (open === undefined) return undefined;
  const { since, until, reason } = open;
  return { since, reason, ...(until > now && { until }) };
}
