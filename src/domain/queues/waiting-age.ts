/**
 * For how long (ms) the oldest job could have started; null without one.
 *
 * @param since when it could (epoch ms), by the clock of the replica that added it, which may be ahead of this one.
 */
export function waitingAge(since: number | undefined, now: number): number | null {
  return since === undefined ? null : Math.max(0, now - since);
}
