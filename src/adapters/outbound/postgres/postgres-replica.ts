import type { ClockPort } from '../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../application/ports/logger-port.ts';
import type { StoreHealthPort } from '../../../application/ports/store-health-port.ts';
import type { StorePorts } from '../../../application/store-ports.ts';
import type { Calendar } from '../../../domain/schedulers/slots.ts';
import { KeptValues } from '../memory/records/kept-values.ts';
import type { MemoryRoom } from '../memory/room/memory-room.ts';
import { RECENT_BYTES, RecentPayloads } from '../memory/state/recent-payloads.ts';
import { StoreRecords } from '../memory/records/store-records.ts';
import { MemoryStore, type MemoryStoreSettings } from '../memory/state/memory-store.ts';
import type { Database } from './driver/database.ts';
import { fullMemory } from './inbox/full-memory.ts';
import { Inbox } from './inbox/inbox.ts';
import { waitingCounts } from './inbox/waiting-counts.ts';
import { WaitingInGroups } from './inbox/waiting-in-groups.ts';
import { LogLag } from './log/log-lag.ts';
import { SharedLog } from './log/shared-log.ts';
import type { ReplicaState } from './ports/database-facts.ts';
import { PostgresSignals } from './ports/postgres-signals.ts';
import { PostgresSystem } from './ports/postgres-system.ts';
import { postgresStoreHealth } from './ports/postgres-store-health.ts';
import { PostgresStore } from './postgres-store.ts';
import { replicaPorts } from './replica-ports.ts';
import { ReplicaMemory } from './rounds/replica-memory.ts';
import { foldedOrLogged } from './rounds/folded-or-logged.ts';
import { Rounds } from './rounds/rounds.ts';
import { SharedChanges } from './rounds/shared-changes.ts';

/** What a replica of the store needs. */
export interface ReplicaSettings {
  readonly database: Database;
  readonly schema: string;
  readonly queues: MemoryStoreSettings;
  readonly auditEntries: number;
  readonly room: MemoryRoom;
  /** The name of the replica, as in its log lines. */
  readonly instance: string;
  /** Brings the schema up to date. */
  readonly prepare: () => Promise<void>;
  /** Is called once, when the replica cannot follow the log any more: the process has to end. */
  readonly failed: (error: Error) => void;
}

/** One replica on PostgreSQL: its store, to be started before its ports are used. */
export interface PostgresReplica extends StorePorts {
  readonly store: PostgresStore;
  readonly memory: MemoryStore;
  readonly signals: PostgresSignals;
  readonly storeHealth: StoreHealthPort;
  /** Whether a live replica has reported that its memory is full. */
  readonly isFull: () => boolean;
}

export function postgresReplica(
  settings: ReplicaSettings,
  clock: ClockPort,
  calendar: Calendar,
  logger: LoggerPort,
): PostgresReplica {
  const { database, schema, instance, auditEntries, room } = settings;
  const changes = new SharedChanges();
  const log = new SharedLog(database, schema);
  const keptValues = new KeptValues();
  const payloads = new RecentPayloads(
    RECENT_BYTES,
    (key) => changes.areValuesStored(key) && memory.unfolded.isFolded(key),
  );
  const records = new StoreRecords(changes, keptValues, payloads);
  const isFull = (): boolean => system.fullMemory() !== undefined;
  const skipsSlots = (): boolean => room.skipsSlots(isFull());
  const queues = new MemoryStore(clock, calendar, { ...settings.queues, skipsSlots }, records);
  const memory: ReplicaMemory = new ReplicaMemory({ queues, records, changes });
  keptValues.readFrom(foldedOrLogged(log, memory.unfolded));
  const lag = new LogLag(database, logger);
  const rounds = new Rounds(database, log, memory, instance, {
    committed: (length, hadPiece) => {
      store.committed(length, hadPiece);
    },
    caughtUp: (at) => {
      lag.caughtUp(at);
    },
    failed: settings.failed,
  });
  const signals: PostgresSignals = new PostgresSignals((payload) => store.notify(payload), logger);
  const state = (): ReplicaState => ({
    isNotified: store.isListening,
    isFolded: store.isFolded,
    behindMs: lag.most,
  });
  const reached = { database, schema, state };
  const system: PostgresSystem = new PostgresSystem(queues, room, records, reached);
  const ofReplica = { store: queues, records, clock, system, auditEntries, room };
  const ports = replicaPorts(ofReplica, rounds);
  const inbox = new Inbox(database, schema, rounds, queues);
  const inGroups = new WaitingInGroups(database, schema, queues, records);
  const publishers = [
    fullMemory(database, schema, instance, room),
    waitingCounts(database, schema, queues, records),
    () => inGroups.publish(),
  ];
  const shared = { database, schema, log, memory, rounds, signals, instance };
  const parts = { ...shared, inbox, publishers, room, lag };
  const store: PostgresStore = new PostgresStore(parts, logger, settings.prepare);
  const storeHealth = postgresStoreHealth(store, rounds, database, lag, room);
  room.onChange(() => {
    rounds.change(() => system.reportMemory(instance)).catch(() => undefined);
    void store.publish();
  });
  return { ...ports, store, memory: queues, signals, storeHealth, isFull };
}
