import type {
  CallerLimits,
  LimitStanding,
  RequestLimits,
} from '../../../../application/access/request-limits.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import { LimitReachedError } from '../../../../domain/access/limit-reached-error.ts';
import type { LimitedThing } from '../../../../domain/access/token-limits.ts';
import type { Exchange } from '../messages/exchange.ts';
import { limitTextsOf } from './limit-texts.ts';

interface LimitHeaders {
  readonly 'RateLimit-Policy': string;
  RateLimit: string;
}

/** One exchange of a caller that may be limited. Its answer, also that of an error, has what is left. */
export class LimitedExchange {
  readonly #limits: RequestLimits;
  readonly #ofCaller: CallerLimits;
  readonly #exchange: Exchange;
  #headers: (Record<string, string> & LimitHeaders) | undefined;

  constructor(limits: RequestLimits, caller: Caller, exchange: Exchange) {
    this.#limits = limits;
    this.#ofCaller = limits.limitsOf(caller);
    this.#exchange = exchange;
  }

  /** Counts against a limit of the caller, if it has one. @throws LimitReachedError */
  count(thing: LimitedThing, count: number): void | Promise<void> {
    const limit = this.#ofCaller[thing];
    if (limit === undefined) return;
    try {
      const taken = this.#limits.take(limit, count);
      if (taken instanceof Promise) return this.#counted(taken);
      this.#show(taken);
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #counted(taken: Promise<LimitStanding>): Promise<void> {
    try {
      this.#show(await taken);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): never {
    if (error instanceof LimitReachedError) this.#show(error);
    throw error;
  }

  /** The headers belong to this exchange alone, so that the second limit of an add makes no others. */
  #show(standing: LimitStanding): void {
    const texts = limitTextsOf(this.#ofCaller);
    const left = texts.standing(standing);
    if (this.#headers === undefined) {
      this.#headers = {
        ...this.#exchange.headers,
        'RateLimit-Policy': texts.policy,
        RateLimit: left,
      };
      this.#exchange.headers = this.#headers;
    } else {
      this.#headers.RateLimit += `, ${left}`;
    }
  }
}
