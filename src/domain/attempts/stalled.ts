/** What a check for stalled jobs found. */
export interface StalledCheck {
  /** The ids of the jobs that went back to their queue. */
  readonly stalled: readonly string[];
  /** When (epoch ms) another check may find more; absent when an early check is not worthwhile. */
  readonly checkAgainAt?: number;
}

/** The time in which all replicas find a store that was away for long, in milliseconds. */
const LONGEST_GRACE = 5000;

/**
 * How often (ms) locks are renewed. One that was not renewed for `lockDuration` has run out for no longer than the
 * grace: a replica that stands still for less keeps its jobs, whenever that begins.
 */
export function renewalInterval(lockDuration: number, stalledInterval: number): number {
  return Math.min(lockDuration / 2, stalledGrace(stalledInterval));
}

/**
 * How long (ms) the holder of a job has to renew its lock once a check saw that it ran out. Checks for
 * stalled jobs that are closer together than this count once, whichever replica makes them.
 */
export function stalledGrace(stalledInterval: number): number {
  return Math.min(LONGEST_GRACE, stalledInterval);
}

/** Why a job fails that stalled too often, as BullMQ says it. */
const STALLED_REASON = 'job stalled more than allowable limit';

/** A job after its attempt stalled: how often that happened, and why its next attempt must fail, if it must. */
export function afterStall(
  stalledCount: number,
  maxStalledCount: number,
): { readonly stalledCount: number; readonly mustFail?: string } {
  const count = stalledCount + 1;
  return { stalledCount: count, ...(count > maxStalledCount && { mustFail: STALLED_REASON }) };
}
