/** Stores the codes that confirm repairs, for all replicas. A store never keeps a code in a usable form. */
export interface RepairCodeStorePort {
  /**
   * @param life milliseconds after which the code expires.
   * @throws DomainError `store-unavailable`.
   */
  save(code: string, life: number): Promise<void>;

  /**
   * Removes a code. Returns whether it existed: of several concurrent callers, only one gets true.
   *
   * @throws DomainError `store-unavailable`.
   */
  take(code: string): Promise<boolean>;
}
