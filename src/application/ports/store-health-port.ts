/** Of a store, in bytes. */
export interface StoreMemory {
  readonly used: number;
  /** How much it may use. */
  readonly limit: number;
}

/** Checks whether the store can be used right now, and how full its memory is. */
export interface StoreHealthPort {
  /**
   * Resolves when the store answers and takes writes. A store that is out of memory counts as usable: its
   * jobs can still be processed, and that frees memory.
   *
   * @throws DomainError `store-unavailable` otherwise, within STORE_PATIENCE; its cause is a PublicCause where one is known.
   */
  check(): Promise<void>;

  /**
   * Undefined when the store does not say.
   *
   * @throws DomainError `store-unavailable`, within STORE_PATIENCE.
   */
  memory(): Promise<StoreMemory | undefined>;
}
