import type { Writable } from 'node:stream';

/**
 * The most commands, and the most bytes, that wait for each other. With more, the store would idle while commands are
 * prepared, and this process while the store runs them.
 */
const MOST_COMMANDS = 8;
const MOST_BYTES = 16_384;

/**
 * Sends the commands of one callback of the event loop in one write, up to a bound. One write for each command took a
 * fifth of the CPU time of processing jobs. Commands do not wait for later callbacks: the store would idle.
 */
export class GatheredWrites {
  readonly #stream: Writable | undefined;
  #commands = 0;

  constructor(stream: Writable | undefined) {
    this.#stream = stream;
  }

  /** Must be called before a command is written. */
  begin(): void {
    if (this.#stream === undefined || this.#stream.writableCorked > 0) return;
    this.#stream.cork();
    process.nextTick(() => this.#end());
  }

  /** Must be called after a command has been written. */
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
