/** Milliseconds, or a text such as `30s`, `5m`, `1h30m` or `7d`. */
export type Duration = number | string;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const PARTS = /(\d+(?:\.\d+)?) ?(ms|s|min|m|h|d|w) ?/gy;

/** A duration in ms. @throws TypeError for a text that is not a duration. */
export function msOf(duration: Duration): number {
  if (typeof duration === 'number') return Math.ceil(duration);
  let ms = 0;
  let end = 0;
  for (const [part, count, unit = ''] of duration.matchAll(PARTS)) {
    ms += Number(count) * (UNITS[unit] ?? 0);
    end += part.length;
  }
  if (end === 0 || end < duration.length) {
    throw new TypeError(`${duration} is not a duration such as 30s, 5m, 1h30m or 7d`);
  }
  return Math.ceil(ms);
}
