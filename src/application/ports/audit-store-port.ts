import type { AuditEntry } from '../../domain/audit/audit-entry.ts';
import type { Natures } from './nature.ts';

/**
 * Keeps the latest entries of the audit, for all replicas. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached.
 */
export interface AuditStorePort {
  /** Stores an entry, replacing one with its id. Beyond the maximum number of entries, the oldest are removed. */
  save(entry: AuditEntry): Promise<void>;

  /** Removes an entry, if it exists. */
  remove(id: string): Promise<void>;

  /**
   * The entries before an id, newest first.
   *
   * @param before an id, which need not be that of an entry; without it, the latest entries are returned.
   */
  latest(before: string | undefined, count: number): Promise<readonly AuditEntry[]>;
}

export const AUDIT_NATURES: Natures<AuditStorePort> = {
  save: 'changes',
  remove: 'changes',
  latest: 'looks',
};
