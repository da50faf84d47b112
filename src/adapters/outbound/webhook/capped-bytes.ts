/**
 * Bytes of an answer as they come in, the first `limit` of them. They are joined as they come: each
 * chunk, be it a single byte, would hold on to all that the connection delivered with it.
 */
export class CappedBytes {
  readonly limit: number;
  /** Its first `#size` bytes are kept. A chunk that came alone stands as it is. */
  #room: Buffer = Buffer.alloc(0);
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
    const left = this.limit - this.#size;
    const kept = chunk.length > left ? chunk.subarray(0, left) : chunk;
    this.#exceeded ||= kept !== chunk;
    if (this.#size === 0) this.#room = kept;
    else this.#append(kept);
    this.#size += kept.length;
  }

  bytes(): Buffer {
    return this.#room.subarray(0, this.#size);
  }

  #append(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#room.length) {
      const roomier = Buffer.allocUnsafe(Math.max(size, 2 * this.#room.length));
      this.#room.copy(roomier, 0, 0, this.#size);
      this.#room = roomier;
    }
    chunk.copy(this.#room, this.#size);
  }
}
