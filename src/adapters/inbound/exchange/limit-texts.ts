import type {
  CallerLimit,
  CallerLimits,
  LimitStanding,
} from '../../../application/access/request-limits.ts';

/**
 * The texts of the headers that say what one caller has left, which go into each answer to it
 * (draft-ietf-httpapi-ratelimit-headers-10; platform contract, section 11).
 */
export class LimitTexts {
  /** `RateLimit-Policy`: all limits of the caller, whichever its request counts against. */
  readonly policy: string;
  readonly #standings = new Map<string, StandingText>();

  constructor(limits: CallerLimits) {
    const all = Object.values(limits).flat();
    this.policy = all.map(policyText).join(', ');
    for (const { policy } of all) this.#standings.set(policy, new StandingText(policy));
  }

  /** An item of `RateLimit`. */
  standing(standing: LimitStanding): string {
    return this.#standings.get(standing.policy)?.of(standing) ?? '';
  }
}

/** The last three digits of a number. */
const LAST_DIGITS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));

/**
 * Makes a text of a number only for each new thousand: what is left differs in each answer, and V8 keeps the texts that
 * it makes of numbers, so that they outlive collections.
 */
class StandingText {
  readonly #policy: string;
  #thousands = 0;
  #start: string;

  constructor(policy: string) {
    this.#policy = policy;
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
    return `"${this.#policy}";r=${digits}`;
  }
}

function policyText({ policy, limit }: CallerLimit): string {
  return `"${policy}";q=${limit.max};w=${seconds(limit.duration)}`;
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
