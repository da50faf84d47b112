import type { StoreReport } from '../../../../application/ports/system-port.ts';
import { storeUnavailable } from '../../../../domain/errors.ts';
import { MemorySystem } from '../../memory/ports/memory-system.ts';
import type { RoomState } from '../../memory/room/memory-room.ts';
import type { StoreRecords } from '../../memory/records/store-records.ts';
import type { MemoryStore } from '../../memory/state/memory-store.ts';
import type { Database } from '../driver/database.ts';
import { serverFacts, type ReplicaState } from './database-facts.ts';

/** The schema of a store, as one replica reaches it. */
export interface ReachedSchema {
  readonly database: Database;
  readonly schema: string;
  readonly state: () => ReplicaState;
}

/** What PostgreSQL reports about itself, and the replicas in records. */
export class PostgresSystem extends MemorySystem {
  readonly #reached: ReachedSchema;

  constructor(store: MemoryStore, room: RoomState, records: StoreRecords, reached: ReachedSchema) {
    super(store, room, undefined, records);
    this.#reached = reached;
  }

  override async store(): Promise<StoreReport> {
    const { database, schema, state } = this.#reached;
    const facts = await serverFacts(database, schema).catch((error: unknown) => {
      throw storeUnavailable(error);
    });
    return {
      facts: {
        kind: 'postgres',
        path: null,
        version: facts.version,
        usedMemory: facts.size,
        maxMemory: null,
        evictionPolicy: null,
        database: { ...facts.database, ...state() },
      },
      isPersistent: facts.isSynced,
      isFull: false,
      queuesHeldBack: this.queuesHeldBack(),
    };
  }
}
