import { randomBytes } from 'node:crypto';
import type { MessageIdPort } from '../application/ports/message-id-port.ts';

/** The parts of a millisecond that a UUID of version 7 can tell apart. */
const PARTS = 4096;

/** By how much (ms) the precise clock may be off before it is set anew. */
const TOLERANCE = 2;

/** UUIDs of version 7 with a fraction of the millisecond (RFC 9562, section 6.2, method 3). */
export class UuidMessageIds implements MessageIdPort {
  /** What makes the clock of the process the time of the system. */
  #origin = performance.timeOrigin;
  /** The latest number: milliseconds since 1970, times PARTS. */
  #latest = 0n;

  draw(): string {
    const number = this.#next();
    const [time, fraction] = [number / BigInt(PARTS), Number(number % BigInt(PARTS))];
    const hex = randomBytes(8);
    hex[0] = ((hex[0] ?? 0) & 0x3f) | 0x80;
    const first = time.toString(16).padStart(12, '0');
    const last = hex.toString('hex');
    return [
      first.slice(0, 8),
      first.slice(8),
      `7${fraction.toString(16).padStart(3, '0')}`,
      last.slice(0, 4),
      last.slice(4),
    ].join('-');
  }

  #next(): bigint {
    const precise = this.#now();
    const whole = Math.floor(precise);
    const number = BigInt(whole) * BigInt(PARTS) + BigInt(Math.floor((precise - whole) * PARTS));
    this.#latest = number > this.#latest ? number : this.#latest + 1n;
    return this.#latest;
  }

  #now(): number {
    const [system, precise] = [Date.now(), this.#origin + performance.now()];
    if (Math.abs(system - precise) <= TOLERANCE) return precise;
    this.#origin += system - precise;
    return system;
  }
}
