import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { StoreTime } from '../connection/store-time.ts';

/**
 * The time by which slots have gone by: the earlier one of the store's clock and of this machine's. Where clocks differ,
 * slots are made as the clock says that is ahead, and no slot shall be left out because of that.
 */
export class SlotClock implements Pick<ClockPort, 'now'> {
  readonly #storeTime: Pick<StoreTime, 'in'>;
  readonly #clock: ClockPort;

  constructor(storeTime: Pick<StoreTime, 'in'>, clock: ClockPort) {
    this.#storeTime = storeTime;
    this.#clock = clock;
  }

  /** Epoch ms; by the clock of this machine as long as that of the store is not known. */
  now(): number {
    return Math.min(this.#storeTime.in(0), this.#clock.now());
  }
}
