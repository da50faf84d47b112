/** Generates the ids of messages. */
export interface MessageIdPort {
  /**
   * A new UUID of version 7. On one replica each is greater than the one before, and over replicas as far as their
   * clocks agree.
   */
  draw(): string;
}
