/** The only source of time for the domain and the application, so that a test controls it. */
export interface ClockPort {
  /** Epoch milliseconds. */
  now(): number;

  /**
   * Resolves after `ms` milliseconds, or early and without an error when the signal aborts. A time below zero, as
   * callers get that compute it from one that has passed, counts as zero.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
