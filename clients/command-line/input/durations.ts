import { TIME_UNITS } from '../../rules/time-units.ts';
import { UsageError } from './usage-error.ts';

const PART = /(\d+(?:\.\d+)?) ?(ms|s|min|m|h|d|w)/g;

/**
 * Parses a duration such as `30s`, `5m`, `1h30m` or `7d` into milliseconds.
 *
 * @param name of the option or argument, for the message.
 * @throws UsageError for anything else, including a number without a unit, which is ambiguous.
 */
export function durationOf(name: string, text: string): number {
  if (!/^(?:\d+(?:\.\d+)? ?(?:ms|s|min|m|h|d|w) ?)+$/.test(text)) {
    throw new UsageError(`${name} must be a duration such as 30s, 5m, 1h30m or 7d`);
  }
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(PART))
    sum += Number(count) * (TIME_UNITS[unit] ?? 0);
  return Math.round(sum);
}

/** Whether a text is meant to be a duration. */
export function isDuration(text: string): boolean {
  return /^\d+(?:\.\d+)? ?[a-z]/.test(text);
}
