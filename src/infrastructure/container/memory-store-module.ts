import { ContainerModule } from 'inversify';
import { MemoryAttempts } from '../../adapters/outbound/memory/memory-attempts.ts';
import { MemoryBreaker } from '../../adapters/outbound/memory/memory-breaker.ts';
import { MemoryCallFigures } from '../../adapters/outbound/memory/memory-call-figures.ts';
import { MemoryEvents } from '../../adapters/outbound/memory/memory-events.ts';
import { MemoryExpiry } from '../../adapters/outbound/memory/memory-expiry.ts';
import { MemoryFlows } from '../../adapters/outbound/memory/memory-flows.ts';
import { MemoryPolicyStore } from '../../adapters/outbound/memory/memory-policy-store.ts';
import { MemoryJobControl } from '../../adapters/outbound/memory/memory-job-control.ts';
import { MemoryJobEndings } from '../../adapters/outbound/memory/memory-job-endings.ts';
import { MemoryJobScan } from '../../adapters/outbound/memory/memory-job-scan.ts';
import { MemoryQueueControl } from '../../adapters/outbound/memory/memory-queue-control.ts';
import { MemoryQueueDirectory } from '../../adapters/outbound/memory/memory-queue-directory.ts';
import { MemoryQueues } from '../../adapters/outbound/memory/memory-queues.ts';
import { MemorySchedulers } from '../../adapters/outbound/memory/memory-schedulers.ts';
import { MemoryStore } from '../../adapters/outbound/memory/memory-store.ts';
import { MemorySignals } from '../../adapters/outbound/memory/memory-signals.ts';
import { MemoryStoreHealth } from '../../adapters/outbound/memory/memory-store-health.ts';
import { MemoryTicketStore } from '../../adapters/outbound/memory/memory-ticket-store.ts';
import { MemoryWorkerStore } from '../../adapters/outbound/memory/memory-worker-store.ts';
import { stalledGrace } from '../../domain/stalled-grace.ts';
import { instanceName } from '../instance-name.ts';
import type { Config } from '../config/config.ts';
import { token, tokens } from './tokens.ts';

const memoryStore = token<MemoryStore>('memory store');

/** STORE=memory: everything lives in this process and ends with it. */
export function memoryStoreModule({ queues, workers }: Config): ContainerModule {
  const grace = stalledGrace(workers.stalledInterval);
  return new ContainerModule(({ bind }) => {
    bind(memoryStore).toResolvedValue(
      (clock) => new MemoryStore(clock, grace, queues.eventsKept, queues.prefix),
      [tokens.clock],
    );
    bind(tokens.queues).toResolvedValue(
      (store) => new MemoryQueues(store, instanceName()),
      [memoryStore],
    );
    bind(tokens.queueControl).toResolvedValue(
      (store) => new MemoryQueueControl(store),
      [memoryStore],
    );
    bind(tokens.queueDirectory).toResolvedValue(
      (store) => new MemoryQueueDirectory(store),
      [memoryStore],
    );
    bind(tokens.attempts).toResolvedValue((store) => new MemoryAttempts(store), [memoryStore]);
    bind(tokens.breakers).toResolvedValue((store) => new MemoryBreaker(store), [memoryStore]);
    bind(tokens.callFigures).toResolvedValue(
      (store) => new MemoryCallFigures(store),
      [memoryStore],
    );
    bind(tokens.expiry).toResolvedValue((store) => new MemoryExpiry(store), [memoryStore]);
    bind(tokens.flowStore).toResolvedValue((store) => new MemoryFlows(store), [memoryStore]);
    bind(tokens.jobControl).toResolvedValue((store) => new MemoryJobControl(store), [memoryStore]);
    bind(tokens.jobEndings).toResolvedValue((store) => new MemoryJobEndings(store), [memoryStore]);
    bind(tokens.events).toResolvedValue((store) => new MemoryEvents(store), [memoryStore]);
    bind(tokens.ticketStore).toResolvedValue(
      (clock) => new MemoryTicketStore(clock),
      [tokens.clock],
    );
    bind(tokens.jobScan).toResolvedValue((store) => new MemoryJobScan(store), [memoryStore]);
    bind(tokens.workerStore).toConstantValue(new MemoryWorkerStore());
    bind(tokens.policyStore).toResolvedValue(
      (store) => new MemoryPolicyStore(store),
      [memoryStore],
    );
    bind(tokens.schedulerStore).toResolvedValue(
      (store, calendar) => new MemorySchedulers(store, calendar),
      [memoryStore, tokens.calendar],
    );
    bind(tokens.replicaSignals).toConstantValue(new MemorySignals());
    bind(tokens.storeHealth).toConstantValue(new MemoryStoreHealth());
    bind(tokens.store).toConstantValue({
      name: 'memory store',
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    });
  });
}
