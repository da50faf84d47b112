import type { ClockPort } from '../application/ports/clock-port.ts';

/** The longest time a timer can run, in milliseconds; the platform fires longer ones at once. */
const LONGEST_SLEEP = 2 ** 31 - 1;

/** The machine's clock. A sleep is limited to 24 days, and ends when the clock is set, so callers check the time again. */
export class SystemClock implements ClockPort {
  readonly #sleepers = new Set<() => void>();

  now(): number {
    return Date.now();
  }

  // The platform's own sleep creates an error with a stack for every sleep that is cut short.
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(ms, 0), LONGEST_SLEEP));
      this.#sleepers.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }

  /** Ends all sleeps early. */
  endSleeps(): void {
    for (const wake of [...this.#sleepers]) wake();
  }

  turn(): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
