/** What is known of an outage of the store by its connection for commands. */
export interface StoreOutage {
  /** Why no command can be sent now; undefined when the connection is ready. */
  readonly causeOfOutage: Error | undefined;

  /** Resolves when the connection is back or stays away; undefined unless it was lost a moment ago. */
  returning(): Promise<void> | undefined;
}
