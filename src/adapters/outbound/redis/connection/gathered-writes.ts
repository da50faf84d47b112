import type { Writable } from 'node:stream';

/**
 * Most commands, and most bytes, that wait for each other. With more the store would rest while we prepare
 * its work, and we while it does that.
 */
const MOST_COMMANDS = 8;
const MOST_BYTES = 16_384;

/**
 * Has the commands of one callback of the event loop leave in one write, up to a bound. A write for each of them was
 * a fifth of the processor time of processing jobs. They do not wait for the callbacks after it: the store would rest.
 */
export class GatheredWrites {
  readonly #stream: Writable | undefined;
  #commands = 0;

  constructor(stream: Writable | undefined) {
    this.#stream = stream;
  }

  /** To be called before a command is written. */
  begin(): void {
    if (this.#stream === undefined || this.#stream.writableCorked > 0) return;
    this.#stream.cork();
    process.nextTick(() => this.#end());
  }

  /** To be called after a command was written. */
  noteWrite(): void {
    this.#commands += 1;
    const bytes = this.#stream?.writableLength ?? 0;
    if (this.#commands >= MOST_COMMANDS || bytes >= MOST_BYTES) this.#end();
  }

  #end(): void {
    this.#commands = 0;
    this.#stream?.uncork();
  }
}
