/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import type { AuditStorePort } from '../../../../application/ports/audit-store-port.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { AuditEntry } from '../../../../domain/audit/audit-entry.ts';

/** The audit in the memory of this process. */
export class MemoryAudit implements AuditStorePort {
  readonly #most: number;
  /** In the order of their ids: this process is the only one that makes them. */
  readonly #entries: KeyedRecords<AuditEntry>;
  /** Those that are kept, the newest first; undefined until they are asked for. */
  #newestFirst: readonly AuditEntry[] | undefined;

  /** @param most how many entries are kept. */
  constructor(most: number, records = new StoreRecords()) {
    this.#most = most;
    this.#entries = records.map('audit', () => {
      this.#newestFirst = undefined;
    });
  }

  async save(entry: AuditEntry): Promise<void> {
    this.#entries.put(entry.id, structuredClone(entry));
    const [oldest] = this.#entries.ids();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.remove(oldest);
  }

  async remove(id: string): Promise<void> {
    this.#entries.remove(id);
  }

  /** Lets others have their turn first: a search asks for one page after the other. */
  async latest(before: string | undefined, count: number): Promise<readonly AuditEntry[]> {
    await setImmediate();
    this.#newestFirst ??= [...this.#entries.values()].sort((one, other) =>
      one.id < other.id ? 1 : -1,
    );
    const entries = this.#newestFirst;
    const start = before === undefined ? 0 : entries.findIndex(({ id }) => id < before);
    return start === -1 ? [] : structuredClone(entries.slice(start, start + count));
  }
}
