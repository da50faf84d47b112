/** Whether the store can be used right now. */
export interface StoreHealthPort {
  /** @throws DomainError `store-unavailable` when the store does not answer within about 2 s. */
  ping(): Promise<void>;
}
