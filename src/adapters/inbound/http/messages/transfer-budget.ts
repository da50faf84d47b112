import type { ServerResponse } from 'node:http';
import { HttpError } from './http-error.ts';

/**
 * Longest body or answer that is not counted, in bytes: small requests are served however many large
 * ones there are. Their number is bounded by that of the connections.
 */
export const UNCOUNTED_SIZE = 16_384;

/**
 * Bounds the memory that large bodies and answers take at once. What an exchange takes counts until it
 * is handled and its answer has gone, so that neither clients that send slowly nor those that never
 * read can fill the process up.
 */
export class TransferBudget {
  readonly #capacity: number;
  readonly #charged = new Map<ServerResponse, number>();
  #used = 0;

  /** @param capacity in bytes; the last charge may exceed it. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Charges the exchange. @throws HttpError `overloaded` when the budget is spent. */
  reserve(response: ServerResponse, bytes: number): void {
    if (this.#used >= this.#capacity) {
      throw new HttpError('overloaded', 'Too many large requests at once, try again later');
    }
    this.charge(response, bytes);
  }

  /** Charges the exchange even when the budget is spent, for what must be kept. */
  charge(response: ServerResponse, bytes: number): void {
    this.#used += bytes;
    this.#charged.set(response, (this.#charged.get(response) ?? 0) + bytes);
  }

  /** Gives back part of what an exchange was charged, before it is over. */
  refund(response: ServerResponse, bytes: number): void {
    this.charge(response, -bytes);
  }

  /** To be called when an exchange is handled: gives back its charge as soon as its answer has gone. */
  refundAfter(response: ServerResponse): void {
    if (!this.#charged.has(response)) return;
    const refund = (): void => {
      this.#used -= this.#charged.get(response) ?? 0;
      this.#charged.delete(response);
    };
    if (response.destroyed) refund();
    else response.once('close', refund);
  }
}
