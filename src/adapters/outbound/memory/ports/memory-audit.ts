/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { AuditStorePort } from '../../../../application/ports/audit-store-port.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { AuditEntry } from '../../../../domain/audit/audit-entry.ts';

/** The audit in the memory of this process. */
export class MemoryAudit implements AuditStorePort {
  readonly #most: number;
  /** In the order of their ids: this process is the only one that makes them. */
  readonly #entries: KeyedRecords<AuditEntry>;

  /** @param most how many entries are kept. */
  constructor(most: number, records = new StoreRecords()) {
    this.#most = most;
    this.#entries = records.map('audit');
  }

  async save(entry: AuditEntry): Promise<void> {
    this.#entries.put(entry.id, structuredClone(entry));
    const [oldest] = this.#entries.ids();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.remove(oldest);
  }

  async remove(id: string): Promise<void> {
    this.#entries.remove(id);
  }

  async latest(before: string | undefined, count: number): Promise<readonly AuditEntry[]> {
    const entries = [...this.#entries.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
    const start = before === undefined ? 0 : entries.findIndex(({ id }) => id < before);
    return start === -1 ? [] : structuredClone(entries.slice(start, start + count));
  }
}
