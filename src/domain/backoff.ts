import { enforce, integer, oneOf, type Rule } from './rule.ts';

/** How long a failed job waits for its next attempt. `delay` is in milliseconds. */
export interface Backoff {
  readonly type: string;
  readonly delay: number;
}

export const backoffTypeRule: Rule = oneOf('exponential', 'linear', 'fixed');
export const backoffDelayRule: Rule = integer(0);

/** @throws DomainError `invalid-request` naming the field under `path`. */
export function checkBackoff(backoff: Backoff, path: string): void {
  enforce(backoffTypeRule, backoff.type, `${path}.type`);
  enforce(backoffDelayRule, backoff.delay, `${path}.delay`);
}

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
