const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/**
 * A readable duration, such as `12 s` or `3 min`, rounded up: what is due "in 1 s" has not happened yet. Larger units
 * are used from two minutes, hours or days on.
 *
 * @param ms milliseconds; a negative value counts as 0.
 */
export function inWords(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.ceil(ms))} ms`;
  if (ms < 2 * MINUTE) return `${Math.ceil(ms / SECOND)} s`;
  if (ms < 2 * HOUR) return `${Math.ceil(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.ceil(ms / HOUR)} h`;
  return `${Math.ceil(ms / DAY)} days`;
}
