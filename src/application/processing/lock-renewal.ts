import type { ClockPort } from '../ports/clock-port.ts';

/** Renews locks for as long as there are any to renew, at half the time they last. */
export class LockRenewal {
  readonly #clock: ClockPort;
  readonly #lockDuration: number;
  readonly #renew: () => Promise<void>;
  readonly #ended = new AbortController();
  #running = false;

  /** @param lockDuration in milliseconds. */
  constructor(clock: ClockPort, lockDuration: number, renew: () => Promise<void>) {
    this.#clock = clock;
    this.#lockDuration = lockDuration;
    this.#renew = renew;
  }

  /** Makes sure that renewals go on while `needed` says so. Cheap when they do already. */
  ensure(needed: () => boolean): void {
    if (this.#running || this.#ended.signal.aborted) return;
    this.#running = true;
    void this.#run(needed);
  }

  end(): void {
    this.#ended.abort();
  }

  async #run(needed: () => boolean): Promise<void> {
    const goesOn = (): boolean => needed() && !this.#ended.signal.aborted;
    while (goesOn()) {
      await this.#clock.sleep(this.#lockDuration / 2, this.#ended.signal);
      if (goesOn()) await this.#renew();
    }
    this.#running = false;
  }
}
