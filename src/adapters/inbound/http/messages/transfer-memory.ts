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
export class TransferMemory {
  readonly #capacity: number;
  readonly #taken = new Map<ServerResponse, number>();
  #used = 0;

  /** @param capacity in bytes; what is taken last may exceed it. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** @throws HttpError `overloaded` when there is no room left. */
  take(response: ServerResponse, bytes: number): void {
    if (this.#used >= this.#capacity) {
      throw new HttpError('overloaded', 'Too many large requests at once, try again later');
    }
    this.takeAnyway(response, bytes);
  }

  /** Counts what has to be kept whether there is room for it or not. */
  takeAnyway(response: ServerResponse, bytes: number): void {
    this.#used += bytes;
    this.#taken.set(response, (this.#taken.get(response) ?? 0) + bytes);
  }

  /** Frees part of what an exchange took, before it is over. */
  giveBack(response: ServerResponse, bytes: number): void {
    this.takeAnyway(response, -bytes);
  }

  /** To be called when an exchange is handled: frees what it took as soon as its answer has gone. */
  releaseAfter(response: ServerResponse): void {
    if (!this.#taken.has(response)) return;
    const release = (): void => {
      this.#used -= this.#taken.get(response) ?? 0;
      this.#taken.delete(response);
    };
    if (response.destroyed) release();
    else response.once('close', release);
  }
}
