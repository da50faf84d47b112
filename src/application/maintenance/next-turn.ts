/** In how many groups the consumers of a replica do what each does every now and then. */
export const TURN_GROUPS = 6;

/**
 * When (epoch ms, whole) the group has its next turn of something that is done every `period` ms. A
 * thousand consumers that were started at once neither do it all at once nor each at its own time, which
 * would wake the process a thousand times.
 */
export function nextTurn(now: number, period: number, group: number): number {
  const latest = now + period;
  const offset = Math.floor((group * period) / TURN_GROUPS);
  return latest - ((latest - offset) % period);
}
