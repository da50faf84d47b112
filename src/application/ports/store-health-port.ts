/** Checks whether the store can be used right now. */
export interface StoreHealthPort {
  /**
   * Resolves when the store answers and takes writes. A store that is out of memory counts as usable: its
   * jobs can still be processed, and that frees memory.
   *
   * @throws DomainError `store-unavailable` otherwise, within STORE_PATIENCE; its cause is a PublicCause where one is known.
   */
  check(): Promise<void>;
}
