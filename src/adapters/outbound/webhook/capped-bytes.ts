/** Bytes of an answer as they come in, the first `limit` of them. */
export class CappedBytes {
  readonly limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #exceeded = false;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether there was more than the limit allows: then reading on is of no use. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  add(chunk: Buffer): void {
    const room = this.limit - this.#size;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#exceeded ||= kept !== chunk;
    this.#size += kept.length;
    this.#chunks.push(kept);
  }

  bytes(): Buffer {
    const [first, ...others] = this.#chunks;
    if (first !== undefined && others.length === 0) return first;
    return Buffer.concat(this.#chunks, this.#size);
  }
}
