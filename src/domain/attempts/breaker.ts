import type { EndedCall } from './attempt-record.ts';
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
