import type { StoreReport } from '../../../../application/ports/system-port.ts';
import { storeUnavailable } from '../../../../domain/errors.ts';
import { MemorySystem } from '../../memory/ports/memory-system.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { Database } from '../driver/database.ts';

/** What PostgreSQL reports about itself, and the replicas in records. */
export class PostgresSystem extends MemorySystem {
  readonly #database: Database;

  constructor(store: MemoryStore, records: StoreRecords, database: Database) {
    super(store, undefined, records);
    this.#database = database;
  }

  override async store(): Promise<StoreReport> {
    const [row] = await this.#database
      .query<{ readonly version: string; readonly size: string; readonly fsync: string }>(
        `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
           pg_database_size(current_database()) AS size`,
      )
      .catch((error: unknown) => {
        throw storeUnavailable(error);
      });
    return {
      facts: {
        kind: 'postgres',
        path: null,
        version: row?.version.split(' ')[0] ?? null,
        usedMemory: Number(row?.size ?? 0),
        maxMemory: null,
        evictionPolicy: null,
      },
      isPersistent: row?.fsync === 'on',
      isFull: false,
    };
  }
}
