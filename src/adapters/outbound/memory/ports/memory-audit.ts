/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import type { AuditStorePort } from '../../../../application/ports/audit-store-port.ts';
import type { StoreRecords } from '../records/store-records.ts';
import type { AuditEntry } from '../../../../domain/audit/audit-entry.ts';

/** The audit in the memory of this process. @param most how many entries are kept. */
export function memoryAudit(most: number, records: StoreRecords): AuditStorePort {
  /** Those that are kept, the newest first; undefined until they are asked for. */
  let newestFirst: readonly AuditEntry[] | undefined;
  // In the order of their ids: this process is the only one that makes them.
  const entries = records.map<AuditEntry>('audit', () => {
    newestFirst = undefined;
  });
  return {
    save: async (entry) => {
      entries.put(entry.id, structuredClone(entry));
      const [oldest] = entries.ids();
      if (entries.size > most && oldest !== undefined) entries.remove(oldest);
    },
    remove: async (id) => void entries.remove(id),
    /** Lets others have their turn first: a search asks for one page after the other. */
    latest: async (before, count) => {
      await setImmediate();
      newestFirst ??= [...entries.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
      const start = before === undefined ? 0 : newestFirst.findIndex(({ id }) => id < before);
      return start === -1 ? [] : structuredClone(newestFirst.slice(start, start + count));
    },
  };
}
