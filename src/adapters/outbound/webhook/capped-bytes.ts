import { GrowingBytes } from '../../shared/growing-bytes.ts';

/** Bytes of an answer as they come in, the first `limit` of them. */
export class CappedBytes {
  readonly limit: number;
  readonly #kept = new GrowingBytes();
  #exceeded = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether there was more than the limit allows: then reading on is of no use. */
  get exceeded(): boolean {
    return this.#exceeded;
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
