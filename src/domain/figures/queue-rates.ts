import { object, required, type Shaped, number } from '../values/shape.ts';
import { failureRateOf, type Ends } from './failing.ts';
import { beginOf, STEPS, type FiguresOfStep } from './figure-steps.ts';
import { FigureCounter, type Figures } from './figures.ts';

/** The rates are means over at most this many whole minutes. */
const RATE_MINUTES = 5;

/** Completions are shown for this many whole minutes. */
export const SPARK_MINUTES = 30;

/** The failure rate covers this many minutes. */
const FAILURE_MINUTES = 60;

/**
 * Jobs per minute, as a mean of the last five whole minutes, or of those since a younger queue began; in its first
 * minute, the jobs so far.
 */
export const ratesShape = object('Rates', {
  added: required(number, 'Jobs that were added'),
  completed: required(number, 'Jobs that completed'),
  failed: required(number, 'Jobs that failed for good'),
});

export type Rates = Shaped<typeof ratesShape>;

/** The recent throughput and failures of a queue (platform contract, section 10). */
export interface RecentFigures {
  readonly rates: Rates;
  /** Within the last hour. */
  readonly ends: Ends;
  /** The share of these that failed: 0 to 1, null when none ended. */
  readonly failureRate: number | null;
  /** The completions of the last 30 whole minutes, oldest first. */
  readonly spark: readonly number[];
}

/** The first minute (epoch ms) that counts towards the current rates. */
export function firstRecentMinute(now: number): number {
  return beginOf('minute', now) - (FAILURE_MINUTES - 1) * STEPS.minute;
}

/** The rates from the counts of all sources in the minutes since `firstRecentMinute`, in no particular order. */
export function recentFigures(minutes: readonly FiguresOfStep[], now: number): RecentFigures {
  const current = beginOf('minute', now);
  const lately = new FigureCounter();
  const hour = new FigureCounter();
  const ofThisMinute = new FigureCounter();
  const spark = new Array<number>(SPARK_MINUTES).fill(0);
  let oldest = 0;
  for (const { at, figures } of minutes) {
    const age = (current - at) / STEPS.minute;
    if (age < 0 || age >= FAILURE_MINUTES) continue;
    hour.add(figures);
    if (age === 0) ofThisMinute.add(figures);
    oldest = Math.max(oldest, age);
    if (age >= 1 && age <= RATE_MINUTES) lately.add(figures);
    const index = SPARK_MINUTES - age;
    if (age >= 1 && index >= 0) spark[index] = (spark[index] ?? 0) + figures.counts.completed;
  }
  const { completed, failed } = hour.figures.counts;
  const ends = { completed, failed };
  return {
    rates:
      oldest === 0
        ? ratesOf(ofThisMinute.figures, 1)
        : ratesOf(lately.figures, Math.min(oldest, RATE_MINUTES)),
    ends,
    failureRate: failureRateOf(ends),
    spark,
  };
}

function ratesOf({ counts: { added, completed, failed } }: Figures, minutes: number): Rates {
  return { added: added / minutes, completed: completed / minutes, failed: failed / minutes };
}
