import { StoreRecords } from '../../../../src/adapters/outbound/memory/records/store-records.ts';
import type { StorePorts } from '../../../../src/application/store-ports.ts';
import { StoreOnDisk } from '../../../support/embedded/store-on-disk.ts';
import type { FakeClock } from '../../../support/fake-clock.ts';
import { memoryStore } from '../../../support/memory-store.ts';
import { portsOf } from '../../../support/memory-stores.ts';
import { lateDatabase } from '../../../support/postgres/late-database.ts';
import { replicaOn } from '../../../support/postgres/open-replica.ts';
import { newSchemaName } from '../../../support/postgres/postgres-session.ts';

const AUDIT_ENTRIES = 10_000;

/** The store of a service in a test. */
export interface ServiceStore {
  readonly ports: StorePorts;
  open(): Promise<void>;
  /** Resolves once all that changed is kept. */
  written(): Promise<void>;
  close(): Promise<void>;
}

/** Where a store keeps its records: in a folder, as STORE=embedded, in PostgreSQL, or nowhere. */
export type KeptIn = 'memory' | 'disk' | 'postgres';

export function serviceStore(keptIn: KeptIn, clock: FakeClock): ServiceStore {
  switch (keptIn) {
    case 'memory':
      return inMemory(clock);
    case 'disk':
      return onDisk(clock);
    case 'postgres':
      return onPostgres(clock);
  }
}

function inMemory(clock: FakeClock): ServiceStore {
  const records = new StoreRecords();
  const done = (): Promise<void> => Promise.resolve();
  const ports = portsOf(memoryStore(clock, {}, records), clock, records);
  return { ports, open: done, written: done, close: done };
}

function onDisk(clock: FakeClock): ServiceStore {
  const disk = new StoreOnDisk();
  const queues = memoryStore(clock, {}, disk.records);
  return {
    ports: portsOf(queues, clock, disk.records),
    open: () => disk.open(queues),
    written: () => disk.written(),
    close: () => disk.close(),
  };
}

function onPostgres(clock: FakeClock): ServiceStore {
  const schema = newSchemaName();
  const settings = { schema, clock, prefix: 'bull', auditEntries: AUDIT_ENTRIES };
  const { store, ...ports } = replicaOn(lateDatabase(), settings);
  return {
    ports,
    open: () => store.start(new AbortController().signal),
    written: () => Promise.resolve(),
    close: () => store.stop(),
  };
}
