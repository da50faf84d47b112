/**
 * A part of the service that runs. Parts start once, in order. The shutdown has two phases: all parts drain
 * at once, then they stop in reverse order.
 */
export interface Startable {
  readonly name: string;

  start(): Promise<void>;

  /**
   * Begins the shutdown: the part starts no more work by itself, and still serves callers that do not know
   * of the shutdown yet. Resolves when they have had time to notice, or when `deadline` aborts. A part that
   * serves no callers and starts no work leaves this out.
   */
  drain?(deadline: AbortSignal): Promise<void>;

  /**
   * Stops the part. Resolves when it has stopped. When `deadline` aborts, the part abandons what still runs
   * in a way that loses nothing. It may be called twice, and without `start` or `drain` before.
   */
  stop(deadline: AbortSignal): Promise<void>;
}
