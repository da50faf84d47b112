import { MemoryAttempts } from '../../src/adapters/outbound/memory/memory-attempts.ts';
import { MemoryFlows } from '../../src/adapters/outbound/memory/memory-flows.ts';
import { MemoryJobControl } from '../../src/adapters/outbound/memory/memory-job-control.ts';
import { MemoryQueueControl } from '../../src/adapters/outbound/memory/memory-queue-control.ts';
import { MemoryQueues } from '../../src/adapters/outbound/memory/memory-queues.ts';
import { MemoryStore } from '../../src/adapters/outbound/memory/memory-store.ts';
import { MemorySignals } from '../../src/adapters/outbound/memory/memory-signals.ts';
import { MemoryWorkerStore } from '../../src/adapters/outbound/memory/memory-worker-store.ts';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';

/** The embedded store, whole, for tests of what stands above it. */
export interface MemoryStores {
  readonly queues: MemoryQueues;
  readonly attempts: MemoryAttempts;
  readonly flows: MemoryFlows;
  readonly jobControl: MemoryJobControl;
  readonly queueControl: MemoryQueueControl;
  readonly workers: MemoryWorkerStore;
  readonly signals: MemorySignals;
}

export function memoryStores(clock: ClockPort): MemoryStores {
  const store = new MemoryStore(clock, 5000, 10_000, 'bull');
  return {
    queues: new MemoryQueues(store, 'host:1'),
    attempts: new MemoryAttempts(store),
    flows: new MemoryFlows(store),
    jobControl: new MemoryJobControl(store),
    queueControl: new MemoryQueueControl(store),
    workers: new MemoryWorkerStore(),
    signals: new MemorySignals(),
  };
}
