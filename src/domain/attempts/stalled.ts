/** What a check for stalled jobs found. */
export interface StalledCheck {
  /** The ids of the jobs that went back to their queue. */
  readonly stalled: readonly string[];
  /** When (epoch ms) another check may find more; absent when an early check is not worthwhile. */
  readonly checkAgainAt?: number;
}

/** How long (ms) it takes all replicas to notice that a store is back after a long outage. */
const LONGEST_GRACE = 5000;

/**
 * How often (ms) locks are renewed. When a replica pauses for `lockDuration`, its locks have been expired for no longer
 * than the grace period, so a shorter pause costs it no job, no matter when the pause begins.
 */
export function renewalInterval(lockDuration: number, stalledInterval: number): number {
  return Math.min(lockDuration / 2, stalledGrace(stalledInterval));
}

/**
 * How long (ms) the holder of a job may still renew its lock after a check found it expired. Stalled checks that are
 * closer together than this count as one, whichever replica runs them.
 */
export function stalledGrace(stalledInterval: number): number {
  return Math.min(LONGEST_GRACE, stalledInterval);
}

/** Why a job that stalled too often fails, in the words of BullMQ. */
export const STALLED_REASON = 'job stalled more than allowable limit';

/** The stalled count of a job after its attempt stalled, and why its next attempt must fail, if it must. */
export function afterStall(
  stalledCount: number,
  maxStalledCount: number,
): { readonly stalledCount: number; readonly mustFail?: string } {
  const count = stalledCount + 1;
  return { stalledCount: count, ...(count > maxStalledCount && { mustFail: STALLED_REASON }) };
}
