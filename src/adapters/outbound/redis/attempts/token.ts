import { randomFillSync } from 'node:crypto';

const TOKEN_BYTES = 24;
const TOKENS_PER_FILL = 128;
const TOKEN = /^[\w-]{32}$/;

/** Makes the tokens of attempts. A token is the value of the job's lock, so it dies with the lock. */
export class TokenSource {
  // One call for the bytes of many tokens costs little more than a call for those of one.
  readonly #random = Buffer.alloc(TOKEN_BYTES * TOKENS_PER_FILL);
  #used = this.#random.length;

  /** 192 random bits that were never given out before. */
  next(): string {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += TOKEN_BYTES;
    return this.#random.toString('base64url', start, this.#used);
  }
}

/** False for the lock tokens of native BullMQ workers, which can be guessed from one another. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}
