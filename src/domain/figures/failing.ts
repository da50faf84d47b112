import { object, required, integer, type Shaped } from '../values/shape.ts';
import { beginOf, STEPS, type FiguresOfStep } from './figure-steps.ts';

/** Many jobs fail when more than this part of at least so many jobs that ended within an hour failed. */
const MANY = { over: 0.2, ends: 10 };

/** Few jobs fail when all of at least so many that ended within a day failed. */
const FEW_ENDS = 3;

const HOURS_OF_DAY = 24;

/** How many jobs ended over some time. */
export interface Ends {
  readonly completed: number;
  readonly failed: number;
}

/** That jobs of a queue fail, and how many. */
export const failingShape = object('Failing', {
  window: required(integer(1), 'Over how many milliseconds: those of an hour, or of 24'),
  ended: required(integer(1), 'How many jobs ended in that time'),
  failed: required(integer(1), 'How many of them failed for good'),
});

export type Failing = Shaped<typeof failingShape>;

/** The first hour (epoch ms) that counts towards the day. */
export function firstHourOfDay(now: number): number {
  return beginOf('hour', now) - (HOURS_OF_DAY - 1) * STEPS.hour;
}

/** How many jobs ended in the steps, over all sources. */
export function endsOf(steps: readonly FiguresOfStep[]): Ends {
  let [completed, failed] = [0, 0];
  for (const { counts } of steps.map(({ figures }) => figures)) {
    completed += counts.completed;
    failed += counts.failed;
  }
  return { completed, failed };
}

/** The share of the jobs that failed: 0 to 1, null when none ended. */
export function failureRateOf({ completed, failed }: Ends): number | null {
  const ended = completed + failed;
  return ended === 0 ? null : failed / ended;
}

/** Whether too many of the jobs that ended within the hour failed; null if not. */
export function failingInHour(ends: Ends): Failing | null {
  const ended = ends.completed + ends.failed;
  const isFailing = ended >= MANY.ends && ends.failed > MANY.over * ended;
  return isFailing ? { window: STEPS.hour, ended, failed: ends.failed } : null;
}

/** Whether all of the few jobs that ended within the day failed; null if not. */
export function failingInDay({ completed, failed }: Ends): Failing | null {
  const isFailing = completed === 0 && failed >= FEW_ENDS;
  return isFailing ? { window: HOURS_OF_DAY * STEPS.hour, ended: failed, failed } : null;
}
