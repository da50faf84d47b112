import { durationOf, isDuration } from './durations.ts';
import { UsageError } from './usage-error.ts';

const WRITTEN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?$/;

/**
 * Parses a time in the format that the command line prints, in the local zone unless it contains another, or a duration
 * before or after now, into epoch milliseconds.
 *
 * @throws UsageError for anything else.
 */
export function timeOf(name: string, text: string, direction: 'ago' | 'ahead'): number {
  if (/^\d{11,}$/.test(text)) return Number(text);
  if (isDuration(text)) {
    const ms = durationOf(name, text);
    return Date.now() + (direction === 'ago' ? -ms : ms);
  }
  const [, year, month, day] = WRITTEN.exec(text) ?? [];
  // JavaScript treats a date without a time as UTC, and any other as local.
  const time = Date.parse(text.length === 10 ? `${text}T00:00` : text);
  const lastDay = new Date(Number(year), Number(month), 0).getDate();
  if (year === undefined || Number.isNaN(time) || Number(day) > lastDay) {
    throw new UsageError(`${name} must be a time such as 2026-01-31, 2026-01-31T08:00 or 7d`);
  }
  return time;
}
