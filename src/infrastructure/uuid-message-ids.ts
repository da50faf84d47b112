import { randomFillSync } from 'node:crypto';
import type { MessageIdPort } from '../application/ports/message-id-port.ts';

/** The parts of a millisecond that a UUID of version 7 can tell apart. */
const PARTS = 4096;

const RANDOM_BYTES = 8;
const IDS_PER_FILL = 256;

/** UUIDs of version 7 with a fraction of the millisecond (RFC 9562, section 6.2, method 3). */
export class UuidMessageIds implements MessageIdPort {
  /** What makes the clock of the process the time of the system. */
  #origin = performance.timeOrigin;
  /** The latest time: whole milliseconds since 1970, and parts of the next one. */
  #time = 0;
  #part = 0;
  // One call for the random bytes of many ids costs little more than a call for those of one.
  readonly #random = Buffer.alloc(RANDOM_BYTES * IDS_PER_FILL);
  #used = this.#random.length;

  draw(): string {
    this.#moveOn();
    const first = this.#time.toString(16).padStart(12, '0');
    const middle = this.#part.toString(16).padStart(3, '0');
    const last = this.#drawn();
    return `${first.slice(0, 8)}-${first.slice(8)}-7${middle}-${last.slice(0, 4)}-${last.slice(4)}`;
  }

  /** Moves to the time of now, or by one part if that is not later. */
  #moveOn(): void {
    const precise = this.#now();
    const time = Math.floor(precise);
    const part = Math.floor((precise - time) * PARTS);
    if (time > this.#time || (time === this.#time && part > this.#part)) {
      [this.#time, this.#part] = [time, part];
    } else if (this.#part + 1 < PARTS) this.#part += 1;
    else [this.#time, this.#part] = [this.#time + 1, 0];
  }

  /** Random bytes with the variant of such UUIDs, in hex. */
  #drawn(): string {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += RANDOM_BYTES;
    this.#random[start] = ((this.#random[start] ?? 0) & 0x3f) | 0x80;
    return this.#random.toString('hex', start, this.#used);
  }

  /** Within the millisecond that the clock of the system shows, which is the same for all replicas of a machine. */
  #now(): number {
    const system = Date.now();
    const precise = this.#origin + performance.now();
    const latest = system + 1 - 1 / PARTS;
    const now = Math.min(Math.max(precise, system), latest);
    this.#origin += now - precise;
    return now;
  }
}
