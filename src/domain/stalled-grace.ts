/** The time in which all replicas find a store that was away for long, in milliseconds. */
const LONGEST_GRACE = 5000;

/**
 * How long (ms) the holder of a job has to renew its lock once a check saw that it ran out. Checks for
 * stalled jobs that are closer together than this count once, whichever replica makes them.
 */
export function stalledGrace(stalledInterval: number): number {
  return Math.min(LONGEST_GRACE, stalledInterval);
}
