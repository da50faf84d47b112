/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { RepairCodeStorePort } from '../../../../application/ports/repair-code-store-port.ts';

/** Codes of repairs in the memory of this process. */
export class MemoryRepairCodes implements RepairCodeStorePort {
  readonly #clock: ClockPort;
  /**
   * When each code expires (epoch ms), in the order of issue: since all last equally long, also the order of expiry.
   */
  readonly #ends = new Map<string, number>();

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  async save(code: string, life: number): Promise<void> {
    const now = this.#clock.now();
    for (const [old, end] of this.#ends) {
      if (end > now) break;
      this.#ends.delete(old);
    }
    this.#ends.set(code, now + life);
  }

  async take(code: string): Promise<boolean> {
    const end = this.#ends.get(code) ?? 0;
    return this.#ends.delete(code) && end > this.#clock.now();
  }
}
