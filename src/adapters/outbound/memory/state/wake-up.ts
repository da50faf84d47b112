import type { ClockPort } from '../../../../application/ports/clock-port.ts';

/**
 * Ends waits for jobs of one queue. It signals only that something changed: a woken waiter makes a claim to find out
 * what. A change that no waiter sees is kept for the next one, so that none is missed.
 */
export class WakeUp {
  readonly #clock: ClockPort;
  readonly #waiting = new Set<() => void>();
  #missed = false;
  /** The latest due time (epoch ms) that ended a wait, so that a due job that no claim may take ends only one. */
  #lastDueServed = -Infinity;

  constructor(clock: ClockPort) {
    this.#clock = clock;
  }

  notify(): void {
    this.#missed = this.#waiting.size === 0;
    for (const wake of this.#waiting) wake();
  }

  /**
   * @param until epoch ms.
   * @param dueAt when (epoch ms) the next delayed job falls due, if there is one.
   */
  async wait(until: number, dueAt: number | undefined, signal: AbortSignal): Promise<void> {
    // Who waits no more claims by an older answer, and does not see the change.
    if (signal.aborted) return;
    if (this.#missed) {
      this.#missed = false;
      return;
    }
    const next =
      dueAt !== undefined && dueAt > this.#lastDueServed ? Math.min(dueAt, until) : until;
    await this.#sleepUntil(next, signal);
    if (next === dueAt && this.#clock.now() >= dueAt) this.#lastDueServed = dueAt;
  }

  async #sleepUntil(time: number, signal: AbortSignal): Promise<void> {
    const nap = new AbortController();
    const wake = (): void => {
      nap.abort();
    };
    this.#waiting.add(wake);
    signal.addEventListener('abort', wake);
    if (!signal.aborted) await this.#clock.sleep(time - this.#clock.now(), nap.signal);
    signal.removeEventListener('abort', wake);
    this.#waiting.delete(wake);
  }
}
