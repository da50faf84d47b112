import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { StoreTime } from '../connection/store-time.ts';

/**
 * The time up to which slots have passed: the earlier one of the store's clock and of this machine's. Where the clocks
 * differ, the clock that is ahead creates the slots, and none of them may be skipped.
 */
export class SlotClock implements Pick<ClockPort, 'now'> {
  readonly #storeTime: Pick<StoreTime, 'in'>;
  readonly #clock: ClockPort;

  constructor(storeTime: Pick<StoreTime, 'in'>, clock: ClockPort) {
    this.#storeTime = storeTime;
    this.#clock = clock;
  }

  /** Epoch ms; by the clock of this machine while that of the store is not known. */
  now(): number {
    return Math.min(this.#storeTime.in(0), this.#clock.now());
  }
}
