const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** The units from which on a time is given in them, each with the next smaller one. */
const UNITS = [
  [DAY, 'd', HOUR, 'h'],
  [HOUR, 'h', MINUTE, 'min'],
  [MINUTE, 'min', SECOND, 's'],
] as const;

/**
 * A time that is left, or a limit, such as `12 s`, `1 h 43 min` or `3 d`, rounded up: what is due "in 1 s" has not
 * happened yet. Exactly one of a unit is followed by the next smaller one, so that no time is off by more than a third.
 *
 * @param ms milliseconds; a negative value counts as 0.
 */
export function inWords(ms: number): string {
  const time = Math.max(0, Math.ceil(ms));
  if (time < SECOND) return `${time} ms`;
  // Clocks differ by parts of a second, which begin no further minute: an hour ahead is `1 h`, not `1 h 1 min`.
  const counted = time < MINUTE ? time : Math.floor(time / SECOND) * SECOND;
  return inUnits(rounded(counted, Math.ceil));
}

/**
 * A time that has passed, in the same words, rounded down: what took "2 min" took at least these. Below ten seconds it
 * has tenths, and below one it is in milliseconds.
 *
 * @param ms milliseconds; a negative value counts as 0.
 */
export function elapsedInWords(ms: number): string {
  const time = Math.max(0, Math.round(ms));
  if (time < SECOND) return `${time} ms`;
  const tenths = Math.floor(time / 100);
  if (tenths < 100 && tenths % 10 !== 0) return `${(tenths / 10).toFixed(1)} s`;
  return inUnits(rounded(time, Math.floor));
}

/** To the second below two minutes, to the minute below two hours, and so on. */
function rounded(time: number, round: (count: number) => number): number {
  const [unit = SECOND, , smaller = SECOND] = UNITS.find(([each]) => time >= each) ?? [];
  const step = time < 2 * unit ? smaller : unit;
  return round(time / step) * step;
}

function inUnits(time: number): string {
  for (const [unit, name, smaller, smallerName] of UNITS) {
    if (time < unit) continue;
    const rest = Math.floor((time % unit) / smaller);
    const count = Math.floor(time / unit);
    return count === 1 && rest > 0 ? `1 ${name} ${rest} ${smallerName}` : `${count} ${name}`;
  }
  return `${Math.floor(time / SECOND)} s`;
}
