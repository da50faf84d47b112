import type { Hold, Holder } from '../queues/hold.ts';
import type { Lock } from './attempt.ts';
import { breakerClosedUntil, type BreakerState } from './breaker.ts';
import type { Claim, ClaimRequest } from './claim.ts';
import { nextStartAt } from '../queues/limiter.ts';
import { closedFor } from '../queues/window.ts';
import type { Stop } from '../values/stop.ts';

/** What decides, apart from its jobs, whether an attempt may start on a queue. Times are epoch ms of the store. */
export interface Gate {
  readonly isPaused: boolean;
  /** The latest hold, which may have ended. */
  readonly hold: Hold | undefined;
  readonly breaker: BreakerState;
  /** Whether the probe of the breaker still holds its job. */
  readonly isProbing: boolean;
  /** How many attempts count towards the concurrency. */
  readonly running: number;
  /** When the `max`-th most recent attempt that the limiter counts started; undefined when there were fewer. */
  readonly earliestStart: number | undefined;
}

/** Why a claim gets no job. */
export type Refusal = Exclude<Claim, { readonly kind: 'attempt' }>;

/**
 * Why a claim gets no job, regardless of what waits; undefined when it may take one. The window takes precedence over a
 * hold and the breaker, these over the limiter, and the limiter over a pause and the concurrency.
 */
export function refusal(gate: Gate, request: ClaimRequest, now: number): Refusal | undefined {
  const { isPulled, concurrency = Infinity, limiter, openTime } = request;
  const opensIn = openTime === undefined ? 0 : closedFor(openTime, now);
  if (opensIn > 0) return { kind: 'limited', until: now + opensIn };
  const closedUntil =
    heldAt(gate.hold, now)?.until ??
    (isPulled === true ? undefined : breakerClosedUntil(gate.breaker, gate.isProbing, now));
  if (closedUntil !== undefined) return { kind: 'limited', until: closedUntil };
  const until = limiter && nextStartAt(limiter, gate.earliestStart, now);
  if (until !== undefined) return { kind: 'limited', until };
  return gate.isPaused || gate.running >= concurrency ? { kind: 'idle' } : undefined;
}

/** The hold in force; undefined when the queue is not held or the hold has ended. */
export function heldAt(hold: Hold | undefined, now: number): Hold | undefined {
  return hold !== undefined && hold.until > now ? hold : undefined;
}

/** The hold after a request to hold the queue for `duration` ms: a hold that lasts at least as long is kept. */
export function heldFor(
  hold: Hold | undefined,
  duration: number,
  by: Holder,
  now: number,
  stop?: Stop,
): Hold {
  const current = heldAt(hold, now);
  const until = now + duration;
  if (current !== undefined && current.until >= until) return current;
  return { since: current?.since ?? now, until, by, ...(stop && { stop }) };
}

/**
 * The calls that may still run although their jobs were cancelled, by the tokens of their attempts, each with the
 * latest time (epoch ms) until which it counts towards the concurrency.
 */
export type EndingCalls = ReadonlyMap<string, number>;

/**
 * The calls after the job of an attempt was cancelled. An attempt with an expired lock is left out, since its replica
 * may be gone.
 */
export function afterCancellation(
  calls: EndingCalls,
  { token, expiresAt, isCalled }: Lock,
  now: number,
): EndingCalls {
  return isCalled && expiresAt > now ? new Map(calls).set(token, expiresAt) : calls;
}

/** The calls after the call of an attempt has ended. */
export function afterCall(calls: EndingCalls, token: string): EndingCalls {
  return calls.has(token) ? new Map([...calls].filter(([each]) => each !== token)) : calls;
}

/** The calls that still count; the same map when all of them do. */
export function countedCalls(calls: EndingCalls, now: number): EndingCalls {
  for (const until of calls.values()) {
    if (until <= now) return new Map([...calls].filter(([, end]) => end > now));
  }
  return calls;
}
