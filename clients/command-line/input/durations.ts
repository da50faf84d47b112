import { UsageError } from './usage-error.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

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
  for (const [, count, unit = ''] of text.matchAll(PART)) sum += Number(count) * (UNITS[unit] ?? 0);
  return Math.round(sum);
}

/** Whether a text is meant to be a duration. */
export function isDuration(text: string): boolean {
  return /^\d+(?:\.\d+)? ?[a-z]/.test(text);
}
