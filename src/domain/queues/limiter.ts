import { integer, object, required, type Shaped } from '../values/shape.ts';

/** At most `max` calls start in any window of `duration`. */
export const limiterShape = object(
  'Limiter',
  {
    max: required(integer(1), 'Most calls that start in a window of time'),
    duration: required(integer(1), 'The length of the window, in milliseconds'),
  },
  'be an object of max and duration',
);

export type Limiter = Shaped<typeof limiterShape>;

/** By how much a limiter's window is stretched: a part of its duration, at most so many milliseconds. */
const [STRETCHED_BY, LONGEST_STRETCH] = [1 / 20, 50];

/**
 * The span of time, in whole milliseconds, in which at most `max` calls start. It is a little longer than
 * `duration`: a call reaches the endpoint some time after its start, now later and now sooner, and shall
 * not be one too many there.
 */
export function limiterWindow({ duration }: Limiter): number {
  return Math.ceil(duration + Math.min(duration * STRETCHED_BY, LONGEST_STRETCH));
}

/**
 * When (epoch ms) the limiter allows the next start; undefined when it allows one now. A start that is still to come
 * shows that the clock was put back, which must not stop the queue.
 *
 * @param earliest when the `max`-th last attempt started that the limiter counts, epoch ms; undefined when fewer did.
 */
export function nextStartAt(
  limiter: Limiter,
  earliest: number | undefined,
  now: number,
): number | undefined {
  if (earliest === undefined || earliest > now) return undefined;
  const until = earliest + limiterWindow(limiter);
  return until > now ? until : undefined;
}

/** Whether the limiter no longer counts a start (epoch ms). */
export function isOutdated(limiter: Limiter, start: number, now: number): boolean {
  return start + limiterWindow(limiter) <= now;
}
