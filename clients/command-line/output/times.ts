import { elapsedInWords, inWords } from '../../../src/domain/values/duration.ts';

/** A time that is shown in full if there is room, otherwise relative to now. */
export interface Moment {
  readonly whole: string;
  readonly short: string;
}

/**
 * The local time with its UTC offset, such as `2026-01-31 08:40:17 +01:00`, a format that options for times accept as
 * well.
 *
 * @param ms milliseconds since 1970.
 */
export function time(ms: number): string {
  const offset = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + offset * 60_000).toISOString().replace('T', ' ').slice(0, 19);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${local} ${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}

/** A time relative to now, such as `3 min ago` or `in 2 h`. */
export function distance(ms: number, now = Date.now()): string {
  if (Math.abs(ms - now) < 1000) return 'now';
  if (ms < now) return `${elapsedInWords(Math.floor((now - ms) / 1000) * 1000)} ago`;
  return `in ${inWords(ms - now)}`;
}

/** Both, such as `2026-01-31 08:40:17 +01:00 (3 min ago)`. */
export function timeAndDistance(ms: number): string {
  return `${time(ms)} (${distance(ms)})`;
}

/** A time for a table cell; empty without a time. */
export function moment(ms: number | null | undefined): Moment | string {
  return ms === null || ms === undefined ? '' : { whole: time(ms), short: distance(ms) };
}
