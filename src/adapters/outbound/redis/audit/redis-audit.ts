import type { AuditStorePort } from '../../../../application/ports/audit-store-port.ts';
import type { AuditEntry } from '../../../../domain/audit/audit-entry.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const saveAuditEntryScript = luaScript('kept/save-audit-entry');
const latestAuditEntriesScript = luaScript('kept/latest-audit-entries');

/** The audit: entries in a hash, by id, and the ids in order in a sorted set. */
export class RedisAudit implements AuditStorePort {
  readonly #commands: StoreCommands;
  readonly #keys: readonly string[];
  readonly #most: number;

  /** @param most how many entries are kept. */
  constructor(commands: StoreCommands, prefix: string, most: number) {
    this.#commands = commands;
    this.#keys = [ownKey(prefix, 'audit'), ownKey(prefix, 'audit-order')];
    this.#most = most;
  }

  async save(entry: AuditEntry): Promise<void> {
    const values = [entry.id, JSON.stringify(entry), String(this.#most)];
    await this.#commands.scripts.run(saveAuditEntryScript, this.#keys, values);
  }

  async remove(id: string): Promise<void> {
    await this.#commands.scripts.run(saveAuditEntryScript, this.#keys, [
      id,
      '',
      String(this.#most),
    ]);
  }

  async latest(before: string | undefined, count: number): Promise<readonly AuditEntry[]> {
    const end = before === undefined ? '+' : `(${before}`;
    const records = (await this.#commands.scripts.run(latestAuditEntriesScript, this.#keys, [
      end,
      String(count),
    ])) as readonly string[];
    return records.map((record) => JSON.parse(record) as AuditEntry);
  }
}
