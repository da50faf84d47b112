/**
 * A part of the service that runs. Parts start once, in order. The shutdown has two phases: all parts drain at the same
 * time, then they stop in reverse order.
 */
export interface Startable {
  readonly name: string;

  /** @param stopping aborts when the service is to stop meanwhile: a start that takes long then gives up. */
  start(stopping: AbortSignal): Promise<void>;

  /**
   * Begins the shutdown: the part starts no more work of its own, but still serves callers that have not noticed the
   * shutdown yet. Resolves when they have had time to notice, or when `deadline` aborts. A part that serves no callers
   * and starts no work omits this.
   *
   * @param isInterrupt whether someone at a terminal asked for the shutdown: no load balancer has to notice it, so a
   *   part does not wait once no caller is connected.
   */
  drain?(deadline: AbortSignal, isInterrupt: boolean): Promise<void>;

  /**
   * Stops the part. Resolves when it has stopped. When `deadline` aborts, the part abandons what is still running
   * without losing anything. It may be called twice, and without a prior `start` or `drain`.
   */
  stop(deadline: AbortSignal): Promise<void>;
}
