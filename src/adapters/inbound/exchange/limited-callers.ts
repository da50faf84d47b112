import type {
  CallerLimits,
  LimitStanding,
  RequestLimits,
} from '../../../application/access/request-limits.ts';
import type { Caller } from '../../../domain/access/caller.ts';
import { LimitReachedError } from '../../../domain/access/limit-reached-error.ts';
import type { LimitedThing } from '../../../domain/access/token-limits.ts';
import type { Exchange } from './exchange.ts';
import { LimitTexts } from './limit-texts.ts';

/** The part of RequestLimits that requests need. */
type LimitCounts = Pick<RequestLimits, 'limitsOf' | 'take'>;

/** The callers of this replica, each with its limits. */
export class LimitedCallers {
  readonly #limits: LimitCounts;
  readonly #areShown: boolean;
  /** Kept, since finding the limits of a caller costs as much as counting against them. */
  readonly #known = new WeakMap<Caller, LimitedCaller>();

  /** @param areShown whether answers say what is left. */
  constructor(limits: LimitCounts, areShown = true) {
    this.#limits = limits;
    this.#areShown = areShown;
  }

  of(caller: Caller): LimitedCaller {
    let limited = this.#known.get(caller);
    if (limited === undefined) {
      const own = this.#limits.limitsOf(caller);
      const texts = this.#areShown ? new LimitTexts(own) : undefined;
      limited = new LimitedCaller(this.#limits, own, texts);
      this.#known.set(caller, limited);
    }
    return limited;
  }
}

/** A caller that may be limited. With texts, each answer to it, errors included, says what is left. */
export class LimitedCaller {
  readonly #limits: LimitCounts;
  readonly #own: CallerLimits;
  readonly #texts: LimitTexts | undefined;

  constructor(limits: LimitCounts, own: CallerLimits, texts: LimitTexts | undefined) {
    this.#limits = limits;
    this.#own = own;
    this.#texts = texts;
  }

  /** Counts against the limits of the caller on a thing, if it has any. @throws LimitReachedError */
  count(thing: LimitedThing, count: number, exchange: Exchange): void | Promise<void> {
    const limits = this.#own[thing];
    if (limits.length === 0) return;
    try {
      const taken = this.#limits.take(limits, count);
      if (taken instanceof Promise) return this.#counted(taken, exchange);
      this.#show(taken, exchange);
    } catch (error) {
      this.#refuse(error, exchange);
    }
  }

  async #counted(taken: Promise<LimitStanding>, exchange: Exchange): Promise<void> {
    try {
      this.#show(await taken, exchange);
    } catch (error) {
      this.#refuse(error, exchange);
    }
  }

  #refuse(error: unknown, exchange: Exchange): never {
    if (error instanceof LimitReachedError) this.#show(error, exchange);
    throw error;
  }

  #show(standing: LimitStanding, exchange: Exchange): void {
    if (this.#texts === undefined) return;
    const left = this.#texts.standing(standing);
    if (exchange.limits === undefined) exchange.limits = { policy: this.#texts.policy, left };
    else exchange.limits.left += `, ${left}`;
  }
}
