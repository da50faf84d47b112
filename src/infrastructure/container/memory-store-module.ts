import { ContainerModule } from 'inversify';
import { MemoryAttempts } from '../../adapters/outbound/memory/ports/memory-attempts.ts';
import { MemoryQueueStandings } from '../../adapters/outbound/memory/ports/memory-queue-standings.ts';
import { MemoryBreaker } from '../../adapters/outbound/memory/ports/memory-breaker.ts';
import { MemoryCallFigures } from '../../adapters/outbound/memory/ports/memory-call-figures.ts';
import { MemoryAudit } from '../../adapters/outbound/memory/ports/memory-audit.ts';
import { MemoryAccessTokens } from '../../adapters/outbound/memory/ports/memory-access-tokens.ts';
import { MemoryEvents } from '../../adapters/outbound/memory/ports/memory-events.ts';
import { MemoryExpiry } from '../../adapters/outbound/memory/ports/memory-expiry.ts';
import { MemoryFigures } from '../../adapters/outbound/memory/ports/memory-figures.ts';
import { MemoryFlows } from '../../adapters/outbound/memory/ports/memory-flows.ts';
import { MemoryNativeTurns } from '../../adapters/outbound/memory/ports/memory-native-turns.ts';
import { MemoryPolicyStore } from '../../adapters/outbound/memory/ports/memory-policy-store.ts';
import { MemoryGroups } from '../../adapters/outbound/memory/ports/memory-groups.ts';
import { MemoryJobControl } from '../../adapters/outbound/memory/ports/memory-job-control.ts';
import { MemoryJobEndings } from '../../adapters/outbound/memory/ports/memory-job-endings.ts';
import { MemoryJobParts } from '../../adapters/outbound/memory/ports/memory-job-parts.ts';
import { MemoryJobScan } from '../../adapters/outbound/memory/ports/memory-job-scan.ts';
import { MemoryQueueControl } from '../../adapters/outbound/memory/ports/memory-queue-control.ts';
import { MemoryQueueDirectory } from '../../adapters/outbound/memory/ports/memory-queue-directory.ts';
import { MemoryQueues } from '../../adapters/outbound/memory/ports/memory-queues.ts';
import { MemorySchedulers } from '../../adapters/outbound/memory/ports/memory-schedulers.ts';
import { MemorySystem } from '../../adapters/outbound/memory/ports/memory-system.ts';
import { MemoryStore } from '../../adapters/outbound/memory/state/memory-store.ts';
import { MemorySignals } from '../../adapters/outbound/memory/ports/memory-signals.ts';
import { MemoryStoreHealth } from '../../adapters/outbound/memory/ports/memory-store-health.ts';
import { MemoryQuotas } from '../../adapters/outbound/memory/ports/memory-quotas.ts';
import { MemorySessions } from '../../adapters/outbound/memory/ports/memory-sessions.ts';
import { MemoryRepairCodes } from '../../adapters/outbound/memory/ports/memory-repair-codes.ts';
import { MemoryTicketStore } from '../../adapters/outbound/memory/ports/memory-ticket-store.ts';
import { MemoryKeyChecks } from '../../adapters/outbound/memory/ports/memory-key-checks.ts';
import { MemoryWorkerStore } from '../../adapters/outbound/memory/ports/memory-worker-store.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import { instanceName } from '../instance-name.ts';
import type { Config } from '../config/config.ts';
import { token, tokens } from './tokens.ts';
import { Wiring } from './wiring.ts';

const memoryStore = token<MemoryStore>('memory store');
const memoryAttempts = token<MemoryAttempts>('memory attempts');

/** STORE=memory: everything lives in this process and ends with it. */
export function memoryStoreModule({ queues, workers, audit }: Config): ContainerModule {
  const grace = stalledGrace(workers.stalledInterval);
  return new ContainerModule(({ bind }) => {
    const { inOrder } = new Wiring(bind);
    bind(memoryStore).toResolvedValue(
      (clock) => new MemoryStore(clock, grace, queues.eventsKept, queues.prefix),
      [tokens.clockPort],
    );
    bind(tokens.queuePort).toResolvedValue(
      (store) => new MemoryQueues(store, instanceName()),
      [memoryStore],
    );
    inOrder(tokens.queueControlPort, MemoryQueueControl, [memoryStore]);
    inOrder(tokens.queueDirectoryPort, MemoryQueueDirectory, [memoryStore]);
    inOrder(memoryAttempts, MemoryAttempts, [memoryStore]);
    bind(tokens.attemptEnginePort).toResolvedValue((attempts) => attempts, [memoryAttempts]);
    bind(tokens.attemptHolderPort).toResolvedValue((attempts) => attempts, [memoryAttempts]);
    bind(tokens.attemptSweepPort).toResolvedValue((attempts) => attempts, [memoryAttempts]);
    inOrder(tokens.breakerPort, MemoryBreaker, [memoryStore]);
    inOrder(tokens.groupStorePort, MemoryGroups, [memoryStore]);
    inOrder(tokens.nativeTurnPort, MemoryNativeTurns, []);
    inOrder(tokens.queueStandingPort, MemoryQueueStandings, [memoryStore]);
    inOrder(tokens.callFiguresPort, MemoryCallFigures, [memoryStore]);
    inOrder(tokens.figuresPort, MemoryFigures, [memoryStore]);
    inOrder(tokens.systemPort, MemorySystem, [memoryStore]);
    inOrder(tokens.expiryPort, MemoryExpiry, [memoryStore]);
    inOrder(tokens.flowPort, MemoryFlows, [memoryStore]);
    inOrder(tokens.jobControlPort, MemoryJobControl, [memoryStore]);
    inOrder(tokens.jobEndingsPort, MemoryJobEndings, [memoryStore]);
    inOrder(tokens.eventPort, MemoryEvents, [memoryStore]);
    inOrder(tokens.ticketStorePort, MemoryTicketStore, [tokens.clockPort]);
    inOrder(tokens.repairCodeStorePort, MemoryRepairCodes, [tokens.clockPort]);
    inOrder(tokens.jobScanPort, MemoryJobScan, [memoryStore]);
    inOrder(tokens.jobPartPort, MemoryJobParts, [memoryStore]);
    bind(tokens.keptWorkers).toConstantValue(new MemoryWorkerStore());
    bind(tokens.keyCheckStorePort).toConstantValue(new MemoryKeyChecks());
    bind(tokens.auditStorePort).toConstantValue(new MemoryAudit(audit.kept));
    inOrder(tokens.accessTokenStorePort, MemoryAccessTokens, []);
    inOrder(tokens.quotaPort, MemoryQuotas, [tokens.clockPort]);
    inOrder(tokens.sessionStorePort, MemorySessions, [tokens.clockPort]);
    inOrder(tokens.policyStorePort, MemoryPolicyStore, [memoryStore]);
    inOrder(tokens.schedulerPort, MemorySchedulers, [memoryStore, tokens.calendarPort]);
    bind(tokens.replicaSignalsPort).toConstantValue(new MemorySignals());
    bind(tokens.storeHealthPort).toConstantValue(new MemoryStoreHealth());
    bind(tokens.store).toConstantValue({
      name: 'memory store',
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    });
  });
}
