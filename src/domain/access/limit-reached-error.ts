import { DomainError } from '../errors.ts';
import type { LimitedThing, TokenLimit } from './token-limits.ts';

const VERBS: Readonly<Record<LimitedThing, string>> = { requests: 'send', jobs: 'add' };

/** The caller has used up its quota for the current period. */
export class LimitReachedError extends DomainError {
  constructor(
    thing: LimitedThing,
    readonly limit: TokenLimit,
    /** The limit as headers name it: that of a token that made the caller's has a number. */
    readonly policy: string,
    /** What is left of the quota: less than the call costs. */
    readonly left: number,
    /** Milliseconds until the caller may try again. */
    readonly endsIn: number,
  ) {
    const { max, duration } = limit;
    const whose = policy === thing ? 'This token' : 'The token that made this one';
    super('limit-reached', `${whose} may ${VERBS[thing]} ${max} ${thing} in ${duration} ms`);
  }
}
