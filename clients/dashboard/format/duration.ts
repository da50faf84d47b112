import { elapsedInWords } from '../../../src/domain/values/duration.ts';

/** A time that has passed, in milliseconds, as in every answer of the service: `41 ms`, `1.4 s`, `4 min`, `1 h 43 min`. */
export function duration(milliseconds: number | null): string {
  return milliseconds === null ? '–' : elapsedInWords(milliseconds);
}

/** Times, one after the other, with a unit where the next one has another: `41 · 130 ms · 1.2 s`. */
export function durations(times: readonly (number | null)[]): string {
  const parts = times.map((time) => duration(time).split(/ (?=\D+$)/));
  return parts
    .map(([number, unit], index) =>
      unit === undefined || unit === parts[index + 1]?.[1] ? number : `${number} ${unit}`,
    )
    .join(' · ');
}
