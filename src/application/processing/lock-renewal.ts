import type { ClockPort } from '../ports/clock-port.ts';

/** Renews locks for as long as there are any to renew, at half the time they last. */
export class LockRenewal {
  readonly #clock: ClockPort;
  readonly #lockDuration: number;
  readonly #renew: () => Promise<void>;
  #running: AbortController | undefined;

  /** @param lockDuration in milliseconds. */
  constructor(clock: ClockPort, lockDuration: number, renew: () => Promise<void>) {
    this.#clock = clock;
    this.#lockDuration = lockDuration;
    this.#renew = renew;
  }

  /** Makes sure that renewals go on while `needed` says so. Cheap when they do already. */
  ensure(needed: () => boolean): void {
    if (this.#running !== undefined) return;
    this.#running = new AbortController();
    void this.#run(needed, this.#running.signal);
  }

  /** Ends the renewals, if there are any. */
  end(): void {
    this.#running?.abort();
  }

  async #run(needed: () => boolean, ended: AbortSignal): Promise<void> {
    const goesOn = (): boolean => needed() && !ended.aborted;
    while (goesOn()) {
      await this.#clock.sleep(this.#lockDuration / 2, ended);
      if (goesOn()) await this.#renew();
    }
    this.#running = undefined;
  }
}
