import { integer, nullable, object, required, type Shaped } from '../values/shape.ts';

/**
 * The ratio of the longest to the shortest duration of a class, so that a class represents its durations within 2 %.
 */
const GROWTH = 1.04;

/** How many calls took how long, by class of duration. Durations of the same class are not distinguished. */
export type CallDurations = Readonly<Record<string, number>>;

/** The class of a duration, in milliseconds. There are fewer than 600. */
export function durationClass(milliseconds: number): number {
  return milliseconds <= 1 ? 0 : Math.ceil(Math.log(milliseconds) / Math.log(GROWTH));
}

const milliseconds = nullable(integer(0));

/** The durations below which these shares of all calls lie, in whole milliseconds; null without calls. */
export const latencyShape = object('Latency', {
  p50: required(milliseconds, 'Half of the calls took no longer'),
  p95: required(milliseconds, '95 of 100 calls took no longer'),
  p99: required(milliseconds, '99 of 100 calls took no longer'),
});

export type Percentiles = Shaped<typeof latencyShape>;

export function percentiles(durations: CallDurations): Percentiles {
  const classes = Object.entries(durations)
    .map(([number, calls]) => ({ number: Number(number), calls }))
    .sort((a, b) => a.number - b.number);
  const all = classes.reduce((sum, { calls }) => sum + calls, 0);
  const within = (share: number): number | null => {
    let left = Math.ceil(all * share);
    for (const { number, calls } of classes) {
      left -= calls;
      if (left <= 0) return Math.round((2 * GROWTH ** number) / (GROWTH + 1));
    }
    return null;
  };
  return { p50: within(0.5), p95: within(0.95), p99: within(0.99) };
}
