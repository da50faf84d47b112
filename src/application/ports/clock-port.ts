/** Time as the core knows it, so that a test can hold it in its hand. */
export interface ClockPort {
  /** Epoch milliseconds. */
  now(): number;

  /** Resolves after `ms` milliseconds, or early and without an error when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
