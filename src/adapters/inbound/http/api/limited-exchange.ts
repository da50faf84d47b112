import type {
  LimitStanding,
  RequestLimits,
} from '../../../../application/access/request-limits.ts';
import type { Caller } from '../../../../domain/access/caller.ts';
import { LimitReachedError } from '../../../../domain/access/limit-reached-error.ts';
import type { LimitedThing } from '../../../../domain/access/token-limits.ts';
import type { Exchange } from '../messages/exchange.ts';
import { limitHeaders } from './limit-headers.ts';

/** One exchange of a caller that may be limited. Its answer, also that of an error, has what is left. */
export class LimitedExchange {
  readonly #limits: RequestLimits;
  readonly #caller: Caller;
  readonly #exchange: Exchange;
  readonly #standings: LimitStanding[] = [];

  constructor(limits: RequestLimits, caller: Caller, exchange: Exchange) {
    this.#limits = limits;
    this.#caller = caller;
    this.#exchange = exchange;
  }

  /** Counts against a limit of the caller, if it has one. @throws LimitReachedError */
  count(thing: LimitedThing, count: number): void | Promise<void> {
    const limit = this.#limits.limitOf(this.#caller, thing);
    if (limit === undefined) return;
    try {
      const taken = this.#limits.take(this.#caller, thing, limit, count);
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
    if (error instanceof LimitReachedError) {
      const { thing, limit, left, endsIn } = error;
      this.#show({ thing, limit, left, endsIn });
    }
    throw error;
  }

  #show({ thing, limit, left, endsIn }: LimitStanding): void {
    this.#standings.push({ thing, limit, left, endsIn });
    const { headers } = this.#exchange;
    this.#exchange.headers = { ...headers, ...limitHeaders(this.#standings) };
  }
}
