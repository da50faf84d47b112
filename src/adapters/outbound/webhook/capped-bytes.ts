import { GrowingBytes } from '../../shared/growing-bytes.ts';

/** The first `limit` bytes of an answer, as they come in. */
export class CappedBytes {
  readonly limit: number;
  readonly #kept = new GrowingBytes();
  #exceeded = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether there were more bytes than the limit allows: then reading on is pointless. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  get size(): number {
    return this.#kept.size;
  }

  add(chunk: Buffer): void {
    const left = this.limit - this.#kept.size;
    this.#exceeded ||= chunk.length > left;
    this.#kept.add(chunk.length > left ? chunk.subarray(0, left) : chunk);
  }

  bytes(): Buffer {
    return this.#kept.bytes();
  }
}
