import type { ExchangeResponse } from './exchange.ts';
import { HttpError } from './http-error.ts';

/**
 * The longest body or answer that is not counted, in bytes: small requests are served no matter how many large ones
 * run. The number of connections bounds theirs.
 */
export const UNCOUNTED_SIZE = 16_384;

/** The charge of one exchange, and the caller that it counts against. */
interface Charge {
  readonly caller: string;
  readonly bytes: number;
}

/**
 * Bounds the memory that large bodies and answers take at once, and the share of a single caller. An exchange is
 * charged until it is handled and its answer has gone, so that neither clients that send slowly nor clients that never
 * read can fill up the memory of the process.
 */
export class TransferBudget {
  readonly #capacity: number;
  readonly #mostOfOne: number;
  readonly #ofCallers = new Map<string, number>();
  #used = 0;
  readonly #charges = new Map<ExchangeResponse, Charge>();

  /**
   * Either may be exceeded by the last charge.
   *
   * @param capacity in bytes, for all callers together
   * @param mostOfOne in bytes, for one of them
   */
  constructor(capacity: number, mostOfOne: number) {
    this.#capacity = capacity;
    this.#mostOfOne = mostOfOne;
  }

  /** @throws HttpError `overloaded` when the budget, or the share of the caller, is spent. */
  check(response: ExchangeResponse): void {
    const caller = this.#charges.get(response)?.caller ?? callerOf(response);
    const isSpent = this.#used >= this.#capacity;
    if (!isSpent && (this.#ofCallers.get(caller) ?? 0) < this.#mostOfOne) return;
    throw new HttpError('overloaded', 'Too many large requests at once, try again later');
  }

  /** Charges the exchange. @throws HttpError `overloaded`, as `check`. */
  reserve(response: ExchangeResponse, bytes: number): void {
    this.check(response);
    this.charge(response, bytes);
  }

  /** Charges the exchange even if the budget is spent, for data that must be kept. */
  charge(response: ExchangeResponse, bytes: number): void {
    const { caller, bytes: before } = this.#charges.get(response) ?? {
      caller: callerOf(response),
      bytes: 0,
    };
    this.#charges.set(response, { caller, bytes: before + bytes });
    this.#count(caller, bytes);
  }

  /** Gives back part of the charge of an exchange before it is over. */
  refund(response: ExchangeResponse, bytes: number): void {
    this.charge(response, -bytes);
  }

  /** Must be called when an exchange is handled. Gives back its charge as soon as its answer has gone. */
  refundAfter(response: ExchangeResponse): void {
    if (!this.#charges.has(response)) return;
    const refund = (): void => {
      const charge = this.#charges.get(response);
      if (charge === undefined) return;
      this.#charges.delete(response);
      this.#count(charge.caller, -charge.bytes);
    };
    if (response.destroyed) refund();
    else response.once('close', refund);
  }

  #count(caller: string, bytes: number): void {
    this.#used += bytes;
    const ofCaller = (this.#ofCallers.get(caller) ?? 0) + bytes;
    if (ofCaller === 0) this.#ofCallers.delete(caller);
    else this.#ofCallers.set(caller, ofCaller);
  }
}

function callerOf({ locals, req }: ExchangeResponse): string {
  return locals.caller ?? req.socket.remoteAddress ?? '';
}
