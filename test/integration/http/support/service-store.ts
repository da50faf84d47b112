import { ampleRoom } from '../../../support/ample-room.ts';
import { MemoryAccessTokens } from '../../../../src/adapters/outbound/memory/ports/memory-access-tokens.ts';
import { MemoryAttempts } from '../../../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { MemoryAudit } from '../../../../src/adapters/outbound/memory/ports/memory-audit.ts';
import { MemoryBreaker } from '../../../../src/adapters/outbound/memory/ports/memory-breaker.ts';
import { MemoryCallFigures } from '../../../../src/adapters/outbound/memory/ports/memory-call-figures.ts';
import { MemoryEndedRemoval } from '../../../../src/adapters/outbound/memory/ports/memory-ended-removal.ts';
import { MemoryErasure } from '../../../../src/adapters/outbound/memory/ports/memory-erasure.ts';
import { MemoryEvents } from '../../../../src/adapters/outbound/memory/ports/memory-events.ts';
import { MemoryFigures } from '../../../../src/adapters/outbound/memory/ports/memory-figures.ts';
import { MemoryFlows } from '../../../../src/adapters/outbound/memory/ports/memory-flows.ts';
import { MemoryGroups } from '../../../../src/adapters/outbound/memory/ports/memory-groups.ts';
import { MemoryHookStore } from '../../../../src/adapters/outbound/memory/ports/memory-hook-store.ts';
import { MemoryJobControl } from '../../../../src/adapters/outbound/memory/ports/memory-job-control.ts';
import { MemoryJobEndings } from '../../../../src/adapters/outbound/memory/ports/memory-job-endings.ts';
import { MemoryJobParts } from '../../../../src/adapters/outbound/memory/ports/memory-job-parts.ts';
import { MemoryJobScan } from '../../../../src/adapters/outbound/memory/ports/memory-job-scan.ts';
import { MemoryOneTimeStore } from '../../../../src/adapters/outbound/memory/ports/memory-one-time-store.ts';
import { MemoryPolicyStore } from '../../../../src/adapters/outbound/memory/ports/memory-policy-store.ts';
import { MemoryQueueControl } from '../../../../src/adapters/outbound/memory/ports/memory-queue-control.ts';
import { MemoryQueueDirectory } from '../../../../src/adapters/outbound/memory/ports/memory-queue-directory.ts';
import { MemoryDemand } from '../../../../src/adapters/outbound/memory/ports/memory-demand.ts';
import { MemoryQueueStandings } from '../../../../src/adapters/outbound/memory/ports/memory-queue-standings.ts';
import { MemoryQueues } from '../../../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { MemoryQuotas } from '../../../../src/adapters/outbound/memory/ports/memory-quotas.ts';
import { MemoryRedaction } from '../../../../src/adapters/outbound/memory/ports/memory-redaction.ts';
import { MemorySchedulers } from '../../../../src/adapters/outbound/memory/ports/memory-schedulers.ts';
import { MemorySettingSets } from '../../../../src/adapters/outbound/memory/ports/memory-setting-sets.ts';
import { MemorySessions } from '../../../../src/adapters/outbound/memory/ports/memory-sessions.ts';
import { MemorySystem } from '../../../../src/adapters/outbound/memory/ports/memory-system.ts';
import { MemoryWorkerStore } from '../../../../src/adapters/outbound/memory/ports/memory-worker-store.ts';
import { StoreRecords } from '../../../../src/adapters/outbound/memory/records/store-records.ts';
import type { MemoryStore } from '../../../../src/adapters/outbound/memory/state/memory-store.ts';
import type { ReplicaPorts } from '../../../../src/adapters/outbound/postgres/replica-ports.ts';
import { StoreOnDisk } from '../../../support/embedded/store-on-disk.ts';
import type { FakeClock } from '../../../support/fake-clock.ts';
import { memoryStore } from '../../../support/memory-store.ts';
import { lateDatabase } from '../../../support/postgres/late-database.ts';
import { replicaOn } from '../../../support/postgres/open-replica.ts';
import { newSchemaName } from '../../../support/postgres/postgres-session.ts';

const AUDIT_ENTRIES = 10_000;

/** The ports that the HTTP interface stands on. */
export type ServicePorts = Omit<
  ReplicaPorts,
  'system' | 'expiry' | 'keyChecks' | 'hookStates' | 'movingQueues'
> & {
  readonly system: MemorySystem;
};

/** The store of a service in a test. */
export interface ServiceStore {
  readonly ports: ServicePorts;
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
  const ports = portsOf(memoryStore(clock, {}, records), records, clock);
  return { ports, open: done, written: done, close: done };
}

function onDisk(clock: FakeClock): ServiceStore {
  const disk = new StoreOnDisk();
  const queues = memoryStore(clock, {}, disk.records);
  return {
    ports: portsOf(queues, disk.records, clock),
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

function portsOf(store: MemoryStore, records: StoreRecords, clock: FakeClock): ServicePorts {
  return {
    queues: new MemoryQueues(store),
    attempts: new MemoryAttempts(store),
    flows: new MemoryFlows(store),
    groups: new MemoryGroups(store),
    jobControl: new MemoryJobControl(store),
    jobEndings: new MemoryJobEndings(store),
    jobScan: new MemoryJobScan(store),
    jobParts: new MemoryJobParts(store),
    events: new MemoryEvents(store),
    endedRemoval: new MemoryEndedRemoval(store, clock, records),
    redaction: new MemoryRedaction(store, clock, records),
    erasure: new MemoryErasure(store),
    queueControl: new MemoryQueueControl(store),
    queueDirectory: new MemoryQueueDirectory(store),
    queueStandings: new MemoryQueueStandings(store),
    demand: new MemoryDemand(store),
    breakers: new MemoryBreaker(store),
    callFigures: new MemoryCallFigures(store),
    figures: new MemoryFigures(store),
    schedulers: new MemorySchedulers(store),
    policies: new MemoryPolicyStore(store),
    hooks: new MemoryHookStore(records),
    workers: new MemoryWorkerStore(records),
    accessTokens: new MemoryAccessTokens(records),
    settingSets: new MemorySettingSets(records),
    sessions: new MemorySessions(clock, records),
    audit: new MemoryAudit(AUDIT_ENTRIES, records),
    quotas: new MemoryQuotas(clock),
    tickets: new MemoryOneTimeStore<never>(clock),
    repairCodes: new MemoryOneTimeStore<never>(clock),
    system: new MemorySystem(store, ampleRoom),
  };
}
