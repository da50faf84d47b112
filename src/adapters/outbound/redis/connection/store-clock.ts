import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { StoreTime } from './store-time.ts';

/** The time for what replicas must agree about although their clocks differ: that of the store. */
export class StoreClock implements Pick<ClockPort, 'now'> {
  readonly #storeTime: StoreTime;
  readonly #clock: ClockPort;

  constructor(storeTime: StoreTime, clock: ClockPort) {
    this.#storeTime = storeTime;
    this.#clock = clock;
  }

  /** Epoch ms; by the clock of this machine as long as that of the store is not known. */
  now(): number {
    return this.#storeTime.isKnown ? this.#storeTime.in(0) : this.#clock.now();
  }
}
