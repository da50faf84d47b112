/** What the connection for commands knows of an outage of the store. */
export interface StoreOutage {
  /** Why no command can be sent now; undefined when the connection is ready. */
  readonly causeOfOutage: Error | undefined;

  /** Resolves when the connection is back or the wait for it is over; undefined unless it was lost a moment ago. */
  returning(): Promise<void> | undefined;
}
