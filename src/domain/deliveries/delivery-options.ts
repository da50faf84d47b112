import type { Retention } from '../jobs/job-retention.ts';
import type { JobOptions } from '../jobs/job-options.ts';

/** How often a message is sent at most (reach contract, section 17). */
export const MOST_DELIVERY_ATTEMPTS = 8;

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** How long (ms) each attempt waits at most after the one before: 8 attempts within 24 hours. */
const PAUSES = [5 * SECOND, MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR, 12 * HOUR] as const;

/** The part of a pause that is left to chance, so that messages that failed together are not repeated together. */
const JITTER = 0.2;

/** How long (ms) a message may be sent again. */
export const DELIVERED_WITHIN = 24 * HOUR;

/** How long a delivery is kept after it ended, in seconds. */
const KEPT_FOR = 7 * 24 * 3600;

/** How many deliveries of a queue are kept that succeeded, and that failed. */
const MOST_KEPT = 10_000;

/** Which deliveries are kept when one ends. */
export const KEPT_DELIVERIES = {
  age: KEPT_FOR,
  count: MOST_KEPT,
} as const satisfies Retention;

/** The options of each delivery. Its pauses are those of {@link pauseAfter}. */
export const DELIVERY_OPTIONS: JobOptions = { attempts: MOST_DELIVERY_ATTEMPTS, delay: 0 };

/**
 * How long (ms) a message waits before its next attempt.
 *
 * @param attemptsMade from 1.
 * @param asked how long (ms) the receiver asked to wait; what is beyond the time for all attempts does not count.
 * @param chance from 0 to below 1.
 */
export function pauseAfter(
  attemptsMade: number,
  asked: number | undefined,
  chance = Math.random(),
): number {
  if (asked !== undefined) return Math.min(asked, DELIVERED_WITHIN);
  const pause = PAUSES[Math.min(attemptsMade, PAUSES.length) - 1] ?? SECOND;
  return Math.round(pause * (1 - JITTER * chance));
}
