/**
 * Stores the codes that confirm repairs, for all replicas. A store keeps no code in a form in which it could be used.
 */
export interface RepairCodeStorePort {
  /**
   * @param life milliseconds after which the code is gone.
   * @throws DomainError `store-unavailable`.
   */
  save(code: string, life: number): Promise<void>;

  /**
   * Removes a code. Returns whether it was there: of several callers at once, one gets true.
   *
   * @throws DomainError `store-unavailable`.
   */
  take(code: string): Promise<boolean>;
}
