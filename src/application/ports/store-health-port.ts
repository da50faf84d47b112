/** Whether the store can be used right now. */
export interface StoreHealthPort {
  /**
   * Resolves when the store answers and lets itself be changed. One whose memory is used up counts as
   * usable: jobs are worked off there, which may be what makes room again.
   *
   * @throws DomainError `store-unavailable` otherwise, within STORE_PATIENCE.
   */
  check(): Promise<void>;
}
