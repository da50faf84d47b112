import { integer, object, oneOf, required, type Shape, type Shaped } from './shape.ts';

/** Jobs of other producers may have other types, which are kept. */
const backoffType: Shape<string> = oneOf('exponential', 'linear', 'fixed');

export const backoffDelayShape = integer(0);

/** How long a failed job waits for its next attempt. */
export const backoffShape = object(
  'Backoff',
  {
    type: required(
      backoffType,
      'How the wait grows: doubled each time, increased by the delay each time, or the same each time',
    ),
    delay: required(backoffDelayShape, 'The first wait, in milliseconds'),
  },
  'be an object of type and delay, or a number of milliseconds',
);

export type Backoff = Shaped<typeof backoffShape>;

/**
 * The wait in milliseconds before the next attempt, `attemptsMade` (from 1) attempts having failed:
 * exponential doubles from the base delay, linear adds it each time, and anything else waits the
 * plain delay. A type this service does not know comes from another producer of the same queue: its
 * job must still end, so the type it asked for gives way and its attempts are kept.
 */
export function backoffDelay(backoff: Backoff | undefined, attemptsMade: number): number {
  if (backoff === undefined || !(backoff.delay > 0)) return 0;
  return Math.min(Math.round(backoff.delay * factor(backoff.type, attemptsMade)), MAX_DELAY);
}

/** No delay reaches beyond the largest integer that every store keeps exactly. */
const MAX_DELAY = Number.MAX_SAFE_INTEGER;

function factor(type: string, attemptsMade: number): number {
  switch (type) {
    case 'exponential':
      return 2 ** (attemptsMade - 1);
    case 'linear':
      return attemptsMade;
    default:
      return 1;
  }
}
