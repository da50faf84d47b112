import {
  integer,
  numberFrom,
  object,
  oneOf,
  optional,
  required,
  type Shape,
  type Shaped,
} from '../values/shape.ts';

/** Jobs of other producers may have other types, which are kept. */
const backoffType: Shape<string> = oneOf('exponential', 'linear', 'fixed');

export const backoffDelayShape = integer(0);

/** The longest wait (ms) unless a job sets another: a day. */
const LONGEST_WAIT = 86_400_000;

const backoffFields = {
  type: required(
    backoffType,
    'How the wait grows: doubled each time, increased by the delay each time, or the same each time',
    'How the wait grows',
  ),
  delay: optional(
    backoffDelayShape,
    'The first wait, in milliseconds; 0 unless given',
    'The first wait, in milliseconds',
  ),
  jitter: optional(
    numberFrom(0, 1),
    'Which part of the wait is random: 0 (unless given) for none, 1 for all of it',
    'Which part of the wait is left to chance, from 0 to 1',
  ),
  maxDelay: optional(
    backoffDelayShape,
    `The longest wait, in milliseconds; ${LONGEST_WAIT} unless given`,
    'The longest wait, in milliseconds',
  ),
} as const;

/** How long a failed job is to wait for its next attempt, as a client sends it. */
export const backoffInputShape = object(
  'Backoff',
  backoffFields,
  'be an object with a type, or a number of milliseconds',
);

export type BackoffInput = Shaped<typeof backoffInputShape>;

/** The backoff of a stored job, which always has a delay. */
export const backoffShape = object('Backoff', {
  ...backoffFields,
  delay: { ...backoffFields.delay, isRequired: true },
} as const);

export type Backoff = Shaped<typeof backoffShape>;

/** A bare number is a fixed backoff of that many milliseconds. Without a delay the wait is 0, as in BullMQ. */
export function normalBackoff(backoff: number | BackoffInput): Backoff {
  if (typeof backoff === 'number') return { type: 'fixed', delay: backoff };
  return { ...backoff, delay: backoff.delay ?? 0 };
}

/**
 * The wait (ms) before the next attempt, after `attemptsMade` (from 1) failed attempts: exponential doubles the base
 * delay each time, linear adds it each time, and any other type waits the plain delay. A type that this service does
 * not know comes from another producer of the same queue: since its job must still end, the unknown type is ignored and
 * its attempts are kept. Jitter subtracts a random part of the wait, as in BullMQ.
 *
 * @param chance from 0 to below 1.
 */
export function backoffDelay(
  backoff: Backoff | undefined,
  attemptsMade: number,
  chance = Math.random(),
): number {
  if (backoff === undefined || !(backoff.delay > 0)) return 0;
  const grown = backoff.delay * factor(backoff.type, attemptsMade);
  const longest = Math.min(Math.round(grown), longestWait(backoff));
  const jitter = partOf(backoff.jitter);
  return jitter === 0 ? longest : Math.floor(longest * (1 - jitter * (1 - chance)));
}

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

/** Other producers may store any value in these two. */
function longestWait({ maxDelay }: Backoff): number {
  return backoffDelayShape.accepts(maxDelay) ? maxDelay : LONGEST_WAIT;
}

function partOf(jitter: unknown): number {
  return typeof jitter === 'number' && jitter > 0 ? Math.min(jitter, 1) : 0;
}
