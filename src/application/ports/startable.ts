/**
 * A part of the service that runs. It is started once, in order. The end has two phases: all parts drain
 * at once, then they stop in reverse order.
 */
export interface Startable {
  readonly name: string;

  start(): Promise<void>;

  /**
   * Begins the end: from now on the part takes up no work of its own accord, and still does what it is
   * asked for by those who have not heard of the end. Resolves when they had the time to hear of it, at
   * the latest when `deadline` aborts. A part without it has nobody to tell and takes up nothing.
   */
  drain?(deadline: AbortSignal): Promise<void>;

  /**
   * Ends the part and waits until it has ended, at most until `deadline` aborts: then it gives up what
   * still runs in a way that loses nothing. Never started, not drained or stopped twice is fine.
   */
  stop(deadline: AbortSignal): Promise<void>;
}
