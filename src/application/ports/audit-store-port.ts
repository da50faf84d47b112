import type { AuditEntry } from '../../domain/audit/audit-entry.ts';

/**
 * Keeps the latest entries of the audit, for all replicas. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached.
 */
export interface AuditStorePort {
  /** Stores an entry, in place of one with its id. Beyond the number that is kept, the oldest go. */
  save(entry: AuditEntry): Promise<void>;

  /** Removes an entry, if it is there. */
  remove(id: string): Promise<void>;

  /**
   * The entries before an id, newest first.
   *
   * @param before an id, which need not be that of an entry; the latest entries without one.
   */
  latest(before: string | undefined, count: number): Promise<readonly AuditEntry[]>;
}
