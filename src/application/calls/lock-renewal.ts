import type { ClockPort } from '../ports/clock-port.ts';

/** Longest pause (ms) before a failed renewal is retried. */
const RETRY_PAUSE = 500;

/**
 * Renews locks for as long as there are any. A failed renewal is retried soon, so that the locks are valid again before
 * a stalled check can give the jobs away.
 */
export class LockRenewal {
  readonly #clock: ClockPort;
  readonly #interval: number;
  readonly #renew: () => Promise<boolean>;
  #running: AbortController | undefined;

  /**
   * @param interval between two renewals, in milliseconds.
   * @param renew resolves to false when the store was away.
   */
  constructor(clock: ClockPort, interval: number, renew: () => Promise<boolean>) {
    this.#clock = clock;
    this.#interval = interval;
    this.#renew = renew;
  }

  /** Starts the renewals, which continue while `needed` returns true. Cheap when they are already running. */
  ensure(needed: () => boolean): void {
    if (this.#running !== undefined) return;
    this.#running = new AbortController();
    void this.#run(needed, this.#running.signal);
  }

  /** Stops the renewals, if they are running. */
  end(): void {
    this.#running?.abort();
  }

  get #retryPause(): number {
    return Math.min(this.#interval / 5, RETRY_PAUSE);
  }

  async #run(needed: () => boolean, ended: AbortSignal): Promise<void> {
    const goesOn = (): boolean => needed() && !ended.aborted;
    let renewed = true;
    while (goesOn()) {
      await this.#clock.sleep(renewed ? this.#interval : this.#retryPause, ended);
      if (goesOn()) renewed = await this.#renew();
    }
    this.#running = undefined;
  }
}
