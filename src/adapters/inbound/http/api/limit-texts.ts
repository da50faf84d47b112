import type {
  CallerLimit,
  CallerLimits,
  LimitStanding,
} from '../../../../application/access/request-limits.ts';
import type { LimitedThing } from '../../../../domain/access/token-limits.ts';

/**
 * The texts of the headers that say what one caller has left, which go into each answer to it
 * (draft-ietf-httpapi-ratelimit-headers-10; platform contract, section 11).
 */
export class LimitTexts {
  /** `RateLimit-Policy`: all limits of the caller, whichever its request counts against. */
  readonly policy: string;
  readonly #standings: Readonly<Record<LimitedThing, StandingText>> = {
    requests: new StandingText('requests'),
    jobs: new StandingText('jobs'),
  };

  constructor(limits: CallerLimits) {
    this.policy = Object.values(limits).map(policyText).join(', ');
  }

  /** An item of `RateLimit`. */
  standing(standing: LimitStanding): string {
    return this.#standings[standing.thing].of(standing);
  }
}

/** The last three digits of a number. */
const LAST_DIGITS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));

/**
 * Makes a text of a number only for each new thousand: what is left differs in each answer, and V8 keeps the texts that
 * it makes of numbers, so that they outlive collections.
 */
class StandingText {
  readonly #thing: LimitedThing;
  #thousands = 0;
  #start: string;

  constructor(thing: LimitedThing) {
    this.#thing = thing;
    this.#start = this.#startWith('');
  }

  of({ left, endsIn }: LimitStanding): string {
    const thousands = Math.floor(left / 1000);
    if (thousands !== this.#thousands) {
      this.#thousands = thousands;
      this.#start = this.#startWith(thousands === 0 ? '' : String(thousands));
    }
    const digits = thousands === 0 ? String(left) : LAST_DIGITS[left - thousands * 1000];
    return `${this.#start}${digits};t=${seconds(endsIn)}`;
  }

  #startWith(digits: string): string {
    return `"${this.#thing}";r=${digits}`;
  }
}

function policyText({ thing, limit }: CallerLimit): string {
  return `"${thing}";q=${limit.max};w=${seconds(limit.duration)}`;
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
