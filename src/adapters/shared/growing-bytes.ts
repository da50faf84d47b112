const NOTHING = Buffer.alloc(0);

/**
 * Bytes of a message as they come in, joined as they come: kept one by one, chunks of a byte or two would
 * take hundreds of times their size, and each would hold on to all that the connection delivered with it.
 */
export class GrowingBytes {
  /** Its first `#size` bytes are kept. A chunk that came alone stands as it is. */
  #room: Buffer = NOTHING;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#size === 0) {
      this.#room = chunk;
    } else {
      if (size > this.#room.length) this.#grow(Math.max(size, 2 * this.#room.length));
      chunk.copy(this.#room, this.#size);
    }
    this.#size = size;
  }

  clear(): void {
    this.#room = NOTHING;
    this.#size = 0;
  }

  bytes(): Buffer {
    return this.#size === this.#room.length ? this.#room : this.#room.subarray(0, this.#size);
  }

  #grow(length: number): void {
    const roomier = Buffer.allocUnsafe(length);
    this.#room.copy(roomier, 0, 0, this.#size);
    this.#room = roomier;
  }
}
