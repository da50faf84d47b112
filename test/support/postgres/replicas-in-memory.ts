import { ampleRoom } from '../ample-room.ts';
import { deepEqual } from 'node:assert/strict';
import { CronCalendar } from '../../../src/adapters/outbound/cron/cron-calendar.ts';
import { memoryStoreHealth } from '../../../src/adapters/outbound/memory/ports/memory-store-health.ts';
import { RecentPayloads } from '../../../src/adapters/outbound/memory/state/recent-payloads.ts';
import { KeptValues } from '../../../src/adapters/outbound/memory/records/kept-values.ts';
import { idBefore } from '../../../src/domain/events/event-id.ts';
import { childOfRecordId } from '../../../src/adapters/outbound/memory/records/job-record.ts';
import {
  numberOfRecordId,
  readId,
} from '../../../src/adapters/outbound/memory/records/record-ids.ts';
import { ownerOf } from '../../../src/adapters/outbound/memory/records/value-key.ts';
import { RECORD_KINDS } from '../../../src/adapters/outbound/memory/records/record-changes.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import { MemoryStore } from '../../../src/adapters/outbound/memory/state/memory-store.ts';
import { hooksOfTests } from '../hooks-of-tests.ts';
import type { Database } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { PostgresSystem } from '../../../src/adapters/outbound/postgres/ports/postgres-system.ts';
import { replicaPorts } from '../../../src/adapters/outbound/postgres/replica-ports.ts';
import { foldedOrLogged } from '../../../src/adapters/outbound/postgres/rounds/folded-or-logged.ts';
import { ReplicaMemory } from '../../../src/adapters/outbound/postgres/rounds/replica-memory.ts';
import { Rounds } from '../../../src/adapters/outbound/postgres/rounds/rounds.ts';
import { SharedChanges } from '../../../src/adapters/outbound/postgres/rounds/shared-changes.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { QueueHarness, QueueReplica } from '../../contracts/queue-harness.ts';
import { STALLED_GRACE } from '../../contracts/queue-steps.ts';
import { FakeClock } from '../fake-clock.ts';
import { LogInMemory } from './log-in-memory.ts';

const KINDS = new Map(RECORD_KINDS.map((kind) => [kind as string, kind]));

/** How often the clock is advanced before the records are folded and compared. */
export const COMPARED = 4;

const NO_DATABASE: Database = {
  query: () => Promise.resolve([]),
  session: () => Promise.reject(new Error('There is no database')),
  listen: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const UNREACHED = {
  database: NO_DATABASE,
  schema: '',
  state: () => ({ isNotified: true, isFolded: true, behindMs: 0 }),
};

/** A replica of the store on PostgreSQL, on a log without a server. */
class Replica {
  readonly ports: QueueReplica;
  readonly #log: LogInMemory;
  readonly #queues: MemoryStore;
  readonly #records: StoreRecords;
  readonly #memory: ReplicaMemory;
  readonly #rounds: Rounds;

  constructor(log: LogInMemory, prefix: string, clock: FakeClock, instance: string) {
    this.#log = log;
    const changes = new SharedChanges();
    const keptValues = new KeptValues();
    const payloads = new RecentPayloads(
      0,
      (key) => changes.areValuesStored(key) && this.#memory.unfolded.isFolded(key),
    );
    this.#records = new StoreRecords(changes, keptValues, payloads);
    const settings = {
      stalledGrace: STALLED_GRACE,
      eventsKept: 10_000,
      prefix,
      replica: instance,
      hooksOf: (queue: QueueName) => hooksOfTests.of(queue),
    };
    this.#queues = new MemoryStore(clock, new CronCalendar(), settings, this.#records);
    this.#memory = new ReplicaMemory({ queues: this.#queues, records: this.#records, changes });
    keptValues.readFrom(foldedOrLogged(log, this.#memory.unfolded));
    const listener = {
      committed: (): void => undefined,
      caughtUp: (): void => undefined,
      failed: (error: Error): void => {
        throw error;
      },
    };
    this.#rounds = new Rounds(log, log, this.#memory, instance, listener);
    const system = new PostgresSystem(this.#queues, ampleRoom, this.#records, UNREACHED);
    const { tickets, ...ports } = replicaPorts(
      {
        ...{ store: this.#queues, records: this.#records },
        ...{ clock, system, auditEntries: 10, room: ampleRoom },
      },
      this.#rounds,
    );
    this.ports = { ...ports, oneTime: tickets, storeHealth: memoryStoreHealth(ampleRoom) };
    this.#rounds.open(0);
  }

  entriesOfGroups(queues: readonly QueueName[]): number {
    const entries = queues.map((queue) => this.#queues.find(queue)?.groups.entries ?? 0);
    return entries.reduce((sum, each) => sum + each, 0);
  }

  /** Takes what the others changed. */
  catchUp(): Promise<void> {
    return this.#rounds.read(() => undefined);
  }

  /** @throws Error when it would write a record otherwise than it was written. */
  compare(): void {
    for (const { kind, queue, id, value } of this.#log.records) {
      const name = readId(queue) as QueueName;
      if (this.#isOnDisk(kind, name, readId(id))) continue;
      const record = this.#records.read(KINDS.get(kind) ?? 'queue', name, readId(id));
      const here = record === undefined ? undefined : JSON.stringify(record);
      const there = JSON.parse(value) as unknown;
      const where = `the ${kind} ${id} of ${queue}`;
      deepEqual({ [where]: JSON.parse(here ?? 'null') as unknown }, { [where]: there });
    }
  }

  /** Keeps of jobs what steps need of them. */
  folded(folded: number): void {
    this.#memory.folded(folded);
  }

  #isOnDisk(kind: string, queue: QueueName, id: string): boolean {
    const found = this.#queues.find(queue);
    const owner = ownerOf(kind, queue, id);
    switch (owner?.of) {
      case undefined:
        return false;
      case 'job':
        return found?.jobs.find(id)?.isWhole === false;
      case 'child': {
        const [parentId, queueOfChild, childId] = childOfRecordId(id);
        const children = found?.jobs.find(parentId)?.children;
        return children?.find({ queue: queueOfChild, id: childId })?.ending?.isWhole === false;
      }
      case 'log-piece': {
        const [jobId, number] = numberOfRecordId(id);
        return found?.jobs.find(jobId)?.log?.piece(number)?.isWhole === false;
      }
      case 'step':
        return found?.jobs.steps.find(id) === undefined;
      case 'signal-body':
        return found?.signals.bodies.find(id) === undefined;
      case 'events':
        return 'then' in (found?.events.next(idBefore(id), 1) ?? []);
    }
  }
}

/**
 * Two replicas of the store on PostgreSQL, on a log without a server. As the clock is advanced, both have to have the
 * records as they were written.
 */
export function replicasInMemory(
  prefix = 'test',
  clock = new FakeClock(),
  names: readonly [string, string] = ['host:1', 'host:1'],
  log = new LogInMemory(),
): QueueHarness {
  let advanced = 0;
  const first = new Replica(log, prefix, clock, names[0]);
  const second = new Replica(log, prefix, clock, names[1]);
  return {
    ...first.ports,
    prefix,
    now: () => clock.now(),
    advance: async (ms) => {
      await clock.advance(ms);
      advanced += 1;
      if (advanced % COMPARED !== 0) return;
      const folded = log.fold();
      for (const replica of [first, second]) {
        await replica.catchUp();
        replica.compare();
        replica.folded(folded);
      }
    },
    entriesOfGroups: async (queues) => {
      await first.catchUp();
      return first.entriesOfGroups(queues);
    },
    replica: () => Promise.resolve(second.ports),
    dispose: () => Promise.resolve(),
  };
}
