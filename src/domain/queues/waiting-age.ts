/**
 * How long (ms) the oldest job has been ready to start; null without one.
 *
 * @param since when it became ready (epoch ms), by the clock of the replica that added it, which may be ahead of ours.
 */
export function waitingAge(since: number | undefined, now: number): number | null {
  return since === undefined ? null : Math.max(0, now - since);
}
