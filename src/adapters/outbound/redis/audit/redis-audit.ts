import type { AuditStorePort } from '../../../../application/ports/audit-store-port.ts';
import type { AuditEntry } from '../../../../domain/audit/audit-entry.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { latestAuditEntries, saveAuditEntry } from '../scripts/kept.ts';

/** The audit: entries in a hash, by id, and the ids in order in a sorted set. */
export class RedisAudit implements AuditStorePort {
  readonly #commands: StoreCommands;
  readonly #keys: { readonly entries: string; readonly ids: string };
  readonly #most: number;

  /** @param most how many entries are kept. */
  constructor(commands: StoreCommands, prefix: string, most: number) {
    this.#commands = commands;
    this.#keys = { entries: ownKey(prefix, 'audit'), ids: ownKey(prefix, 'audit-order') };
    this.#most = most;
  }

  save(entry: AuditEntry): Promise<void> {
    return this.#put(entry.id, JSON.stringify(entry));
  }

  remove(id: string): Promise<void> {
    return this.#put(id, '');
  }

  async latest(before: string | undefined, count: number): Promise<readonly AuditEntry[]> {
    const upTo = before === undefined ? '+' : `(${before}`;
    const records = await this.#commands.call(latestAuditEntries, this.#keys, { upTo, count });
    return records.map((record) => JSON.parse(record) as AuditEntry);
  }

  #put(id: string, entry: string): Promise<void> {
    return this.#commands.call(saveAuditEntry, this.#keys, { id, entry, kept: this.#most });
  }
}
