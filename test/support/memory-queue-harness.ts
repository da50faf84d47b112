import { ampleRoom } from './ample-room.ts';
import { memoryStoreHealth } from '../../src/adapters/outbound/memory/ports/memory-store-health.ts';
import type { MemoryStore } from '../../src/adapters/outbound/memory/state/memory-store.ts';
import { StoreRecords } from '../../src/adapters/outbound/memory/records/store-records.ts';
import type { QueueHarness, QueueReplica } from '../contracts/queue-harness.ts';
import { STALLED_GRACE } from '../contracts/queue-steps.ts';
import { FakeClock } from './fake-clock.ts';
import { memoryStore } from './memory-store.ts';
import { portsOf } from './memory-stores.ts';

export interface MemoryQueueHarness extends QueueHarness {
  readonly clock: FakeClock;
  readonly store: MemoryStore;
}

/** Queues in memory under a clock that only `advance` moves. */
export function memoryQueueHarness(
  prefix = 'test',
  clock = new FakeClock(),
  records = new StoreRecords(),
): MemoryQueueHarness {
  const store = memoryStore(clock, { stalledGrace: STALLED_GRACE, prefix }, records);
  const { tickets, ...ports } = portsOf(store, clock, records, 10);
  const replica: QueueReplica = {
    ...ports,
    oneTime: tickets,
    storeHealth: memoryStoreHealth(ampleRoom),
  };
  return {
    ...replica,
    clock,
    store,
    prefix,
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    entriesOfGroups: (queues) => {
      const entries = queues.map((queue) => store.find(queue)?.groups.entries ?? 0);
      return Promise.resolve(entries.reduce((sum, each) => sum + each, 0));
    },
    countCallbacks: (queue, count) => {
      store.find(queue)?.change({ callbacks: count });
      return Promise.resolve();
    },
    replica: () => Promise.resolve(replica),
    dispose: () => Promise.resolve(),
  };
}
