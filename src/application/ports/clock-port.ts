/** Tells the core the time: its only source, so that a test controls it. */
export interface ClockPort {
  /** Epoch milliseconds. */
  now(): number;

  /** Resolves after `ms` milliseconds, or early and without an error when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
