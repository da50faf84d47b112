/** A part of the service that runs: it is started once, in order, and stopped in reverse order. */
export interface Startable {
  readonly name: string;

  start(): Promise<void>;

  /**
   * Ends the part and waits until it has ended, at most until `deadline` aborts: then it gives up what
   * still runs in a way that loses nothing. Never started or stopped twice is fine.
   */
  stop(deadline: AbortSignal): Promise<void>;
}
