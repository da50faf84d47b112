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

/** How much longer a limiter's window is: a fraction of its duration, up to this many milliseconds. */
export const [STRETCHED_BY, LONGEST_STRETCH] = [1 / 20, 50];

/**
 * The window, in whole milliseconds, in which at most `max` calls start. It is slightly longer than `duration`, since
 * the time between the start of a call and its arrival varies, and the endpoint must not see one call too many.
 */
export function limiterWindow({ duration }: Limiter): number {
  return Math.ceil(duration + Math.min(duration * STRETCHED_BY, LONGEST_STRETCH));
}

/**
 * When (epoch ms) the limiter allows the next start; undefined when it allows one now. A start in the future means that
 * the clock was set back, which must not block the queue.
 *
 * @param earliest when the last of the counted starts was made that have to leave the window before, epoch ms; undefined
 * when none has to.
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
