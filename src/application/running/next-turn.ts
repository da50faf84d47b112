/** The number of groups that the periodic work of the queues of a replica is spread over. */
export const TURN_GROUPS = 6;

/**
 * When (epoch ms, whole) the group is next due for work that is repeated every `period` ms. Thus a thousand queues that
 * were added at once neither all work at the same time nor each at its own, which would wake the process a thousand
 * times.
 */
export function nextTurn(now: number, period: number, group: number): number {
  const latest = now + period;
  const offset = Math.floor((group * period) / TURN_GROUPS);
  return latest - ((latest - offset) % period);
}
