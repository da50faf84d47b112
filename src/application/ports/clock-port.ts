/** The only source of time for the domain and the application, so that tests can control it. */
export interface ClockPort {
  /** Epoch milliseconds. */
  now(): number;

  /**
   * Resolves after `ms` milliseconds, or early and without an error when the signal aborts or the clock is set. A
   * negative time, which results from a time in the past, counts as zero.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;

  /** Resolves in the next turn of the event loop: after what is due in this one, such as the sending of a request. */
  turn(): Promise<void>;
}
