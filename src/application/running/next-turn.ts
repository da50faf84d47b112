/** The number of groups that the periodic work of a replica's queues is spread over. */
export const TURN_GROUPS = 6;

/**
 * When (epoch ms, whole) the group has its next turn of work that is done every `period` ms. A thousand queues that
 * were added at once then neither work all at once nor each at its own time, which would wake the process a thousand
 * times.
 */
export function nextTurn(now: number, period: number, group: number): number {
  const latest = now + period;
  const offset = Math.floor((group * period) / TURN_GROUPS);
  return latest - ((latest - offset) % period);
}
