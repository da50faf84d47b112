import { DomainError } from '../errors.ts';
import type { LimitedThing, TokenLimit } from './token-limits.ts';

const VERBS: Readonly<Record<LimitedThing, string>> = { requests: 'send', jobs: 'add' };

/** The caller has used up what it may do in a time. */
export class LimitReachedError extends DomainError {
  constructor(
    readonly thing: LimitedThing,
    readonly limit: TokenLimit,
    /** What is left of it: less than the call takes. */
    readonly left: number,
    /** Milliseconds until it may again. */
    readonly endsIn: number,
  ) {
    const { max, duration } = limit;
    super('limit-reached', `This token may ${VERBS[thing]} ${max} ${thing} in ${duration} ms`);
  }
}
