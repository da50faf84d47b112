import { DomainError } from '../errors.ts';
import type { LimitedThing, TokenLimit } from './token-limits.ts';

const VERBS: Readonly<Record<LimitedThing, string>> = { requests: 'send', jobs: 'add' };

/** The caller has used up its quota for the current period. */
export class LimitReachedError extends DomainError {
  constructor(
    readonly thing: LimitedThing,
    readonly limit: TokenLimit,
    /** What is left of the quota: less than the call costs. */
    readonly left: number,
    /** Milliseconds until the caller may try again. */
    readonly endsIn: number,
  ) {
    const { max, duration } = limit;
    super('limit-reached', `This token may ${VERBS[thing]} ${max} ${thing} in ${duration} ms`);
  }
}
