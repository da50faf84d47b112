const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** A time in milliseconds in its largest unit: `41 ms`, `1.4 s`, `4 min`, `2 h`, `3 d`. */
export function duration(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  const time = Math.max(0, milliseconds);
  for (const [unit, name] of UNITS) {
    if (time >= unit) return `${Math.floor(time / unit)} ${name}`;
  }
  if (time < 100) return `${Math.round(time)} ms`;
  const seconds = time / 1000;
  return time < 10_000 && time % 1000 !== 0
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds)} s`;
}

/** A measured time: to the millisecond below a second, where `duration` shows 110 and 190 alike. */
export function measuredTime(milliseconds: number | null): string {
  const isShort = milliseconds !== null && Math.abs(milliseconds) < 999.5;
  return isShort ? `${Math.round(milliseconds)} ms` : duration(milliseconds);
}

/** Measured times, one after the other, with a unit where the next one has another: `41 · 130 ms · 1.2 s`. */
export function measuredTimes(times: readonly (number | null)[]): string {
  const parts = times.map((time) => measuredTime(time).split(' '));
  return parts
    .map(([number, unit], index) =>
      unit === undefined || unit === parts[index + 1]?.[1] ? number : `${number} ${unit}`,
    )
    .join(' · ');
}
