import { MemoryAttempts } from '../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { MemoryJobParts } from '../../src/adapters/outbound/memory/ports/memory-job-parts.ts';
import { MemoryFlows } from '../../src/adapters/outbound/memory/ports/memory-flows.ts';
import { MemoryJobControl } from '../../src/adapters/outbound/memory/ports/memory-job-control.ts';
import { MemoryQueueControl } from '../../src/adapters/outbound/memory/ports/memory-queue-control.ts';
import { MemoryQueueDirectory } from '../../src/adapters/outbound/memory/ports/memory-queue-directory.ts';
import { MemoryDemand } from '../../src/adapters/outbound/memory/ports/memory-demand.ts';
import { MemoryQueueStandings } from '../../src/adapters/outbound/memory/ports/memory-queue-standings.ts';
import { MemoryQueues } from '../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { MemorySignals } from '../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { MemoryWorkerStore } from '../../src/adapters/outbound/memory/ports/memory-worker-store.ts';
import type { ClockPort } from '../../src/application/ports/clock-port.ts';
import { memoryStore } from './memory-store.ts';

/** The embedded store, whole, for tests of what stands above it. */
export interface MemoryStores {
  readonly queues: MemoryQueues;
  readonly attempts: MemoryAttempts;
  readonly jobParts: MemoryJobParts;
  readonly flows: MemoryFlows;
  readonly jobControl: MemoryJobControl;
  readonly queueControl: MemoryQueueControl;
  readonly queueDirectory: MemoryQueueDirectory;
  readonly queueStandings: MemoryQueueStandings;
  readonly demand: MemoryDemand;
  readonly workers: MemoryWorkerStore;
  readonly signals: MemorySignals;
}

export function memoryStores(clock: ClockPort): MemoryStores {
  const store = memoryStore(clock);
  return {
    queues: new MemoryQueues(store),
    attempts: new MemoryAttempts(store),
    jobParts: new MemoryJobParts(store),
    flows: new MemoryFlows(store),
    jobControl: new MemoryJobControl(store),
    queueControl: new MemoryQueueControl(store),
    queueDirectory: new MemoryQueueDirectory(store),
    queueStandings: new MemoryQueueStandings(store),
    demand: new MemoryDemand(store),
    workers: new MemoryWorkerStore(),
    signals: new MemorySignals(),
  };
}
