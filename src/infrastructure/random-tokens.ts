import { randomFillSync } from 'node:crypto';
import type { TokenPort } from '../application/ports/token-port.ts';

const TOKEN_BYTES = 24;
const TOKENS_PER_FILL = 128;

/** Generates tokens from the random numbers of the machine. */
export class RandomTokens implements TokenPort {
  // One call for the random bytes of many tokens costs little more than a call for those of one.
  readonly #random = Buffer.alloc(TOKEN_BYTES * TOKENS_PER_FILL);
  #used = this.#random.length;

  draw(): string {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += TOKEN_BYTES;
    return this.#random.toString('base64url', start, this.#used).replace(/^-/, '_');
  }
}
