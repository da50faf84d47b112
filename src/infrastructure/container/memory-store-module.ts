import { ContainerModule } from 'inversify';
import { MemoryAttempts } from '../../adapters/outbound/memory/memory-attempts.ts';
import { MemoryJobQueue } from '../../adapters/outbound/memory/memory-job-queue.ts';
import { MemoryQueues } from '../../adapters/outbound/memory/memory-queues.ts';
import { MemorySignals } from '../../adapters/outbound/memory/memory-signals.ts';
import { MemoryStoreHealth } from '../../adapters/outbound/memory/memory-store-health.ts';
import { MemoryWorkerStore } from '../../adapters/outbound/memory/memory-worker-store.ts';
import { stalledGrace } from '../../domain/stalled-grace.ts';
import type { Config } from '../config/config.ts';
import { SystemClock } from '../system-clock.ts';
import { tokens } from './tokens.ts';

/** STORE=memory: everything lives in this process and ends with it. */
export function memoryStoreModule({ workers }: Config): ContainerModule {
  return new ContainerModule(({ bind }) => {
    const clock = new SystemClock();
    const store = new MemoryQueues(clock, stalledGrace(workers.stalledInterval));
    bind(tokens.queues).toConstantValue(new MemoryJobQueue(store));
    bind(tokens.attempts).toConstantValue(new MemoryAttempts(store));
    bind(tokens.workerStore).toConstantValue(new MemoryWorkerStore());
    bind(tokens.replicaSignals).toConstantValue(new MemorySignals());
    bind(tokens.storeHealth).toConstantValue(new MemoryStoreHealth());
    bind(tokens.store).toConstantValue({
      name: 'memory store',
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    });
  });
}
