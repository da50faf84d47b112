import { setImmediate } from 'node:timers/promises';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/** Time that stands still until a test moves it on. */
export class FakeClock implements ClockPort {
  readonly #sleepers = new Set<Sleeper>();
  #now: number;
  /** How many turns of the event loop are waited for. */
  #turns = 0;

  constructor(now = Date.UTC(2025, 0, 1)) {
    this.#now = now;
  }

  /** How many sleeps have not ended yet. */
  get sleepers(): number {
    return this.#sleepers.size;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { dueAt: this.#now + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
    });
  }

  async turn(): Promise<void> {
    this.#turns += 1;
    await setImmediate();
    this.#turns -= 1;
  }

  /**
   * Moves the time on by `ms`. Sleepers wake at their own time, in order, and what they do next is
   * done before the time moves further, so that they may sleep again within the same `ms`.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#idle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.dueAt);
      next.wake();
      await this.#idle();
    }
    this.#now = end;
  }

  async #idle(): Promise<void> {
    do await setImmediate();
    while (this.#turns > 0);
  }

  #next(end: number): Sleeper | undefined {
    const due = [...this.#sleepers].filter(({ dueAt }) => dueAt <= end);
    return due.sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}
