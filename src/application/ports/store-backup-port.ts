/** A copy of everything in the store. */
export interface StoreBackup {
  /** In bytes. */
  readonly size: number;

  /**
   * The copy from its first to its last byte. To be read once.
   *
   * @throws DomainError `store-unavailable` when the signal aborts before the last byte.
   */
  readonly pieces: (ending: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** Copies a store that is a file while it is in use. */
export interface StoreBackupPort {
  /**
   * Resolves once the copy is complete. It has every change that was answered before, and of each later one all or
   * nothing. Changes go on meanwhile. One copy at a time.
   *
   * @param ending stops the copying; later, it drops the copy.
   * @throws DomainError `store-full` when the disk has no room for the copy, `store-unavailable` when it failed otherwise
   *   or was stopped.
   */
  backUp(ending: AbortSignal): Promise<StoreBackup>;
}
