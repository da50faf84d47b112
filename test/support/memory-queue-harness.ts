import { ampleRoom } from './ample-room.ts';
import { MemoryAttempts } from '../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { MemoryDemand } from '../../src/adapters/outbound/memory/ports/memory-demand.ts';
import { MemoryQueueStandings } from '../../src/adapters/outbound/memory/ports/memory-queue-standings.ts';
import { MemoryBreaker } from '../../src/adapters/outbound/memory/ports/memory-breaker.ts';
import { MemoryCallFigures } from '../../src/adapters/outbound/memory/ports/memory-call-figures.ts';
import { MemoryEndedRemoval } from '../../src/adapters/outbound/memory/ports/memory-ended-removal.ts';
import { MemoryErasure } from '../../src/adapters/outbound/memory/ports/memory-erasure.ts';
import { MemoryEvents } from '../../src/adapters/outbound/memory/ports/memory-events.ts';
import { MemoryExpiry } from '../../src/adapters/outbound/memory/ports/memory-expiry.ts';
import { MemoryFigures } from '../../src/adapters/outbound/memory/ports/memory-figures.ts';
import { MemoryFlows } from '../../src/adapters/outbound/memory/ports/memory-flows.ts';
import { MemoryAudit } from '../../src/adapters/outbound/memory/ports/memory-audit.ts';
import { MemoryQuotas } from '../../src/adapters/outbound/memory/ports/memory-quotas.ts';
import { MemorySettingSets } from '../../src/adapters/outbound/memory/ports/memory-setting-sets.ts';
import { MemorySessions } from '../../src/adapters/outbound/memory/ports/memory-sessions.ts';
import { MemoryAccessTokens } from '../../src/adapters/outbound/memory/ports/memory-access-tokens.ts';
import { MemoryHookStates } from '../../src/adapters/outbound/memory/ports/memory-hook-states.ts';
import { MemoryHookStore } from '../../src/adapters/outbound/memory/ports/memory-hook-store.ts';
import { MemoryPolicyStore } from '../../src/adapters/outbound/memory/ports/memory-policy-store.ts';
import { MemoryJobControl } from '../../src/adapters/outbound/memory/ports/memory-job-control.ts';
import { MemoryJobEndings } from '../../src/adapters/outbound/memory/ports/memory-job-endings.ts';
import { MemoryJobParts } from '../../src/adapters/outbound/memory/ports/memory-job-parts.ts';
import { MemoryJobScan } from '../../src/adapters/outbound/memory/ports/memory-job-scan.ts';
import { MemoryQueueControl } from '../../src/adapters/outbound/memory/ports/memory-queue-control.ts';
import { MemoryQueueDirectory } from '../../src/adapters/outbound/memory/ports/memory-queue-directory.ts';
import { MemoryQueues } from '../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { MemoryOneTimeStore } from '../../src/adapters/outbound/memory/ports/memory-one-time-store.ts';
import { MemoryRedaction } from '../../src/adapters/outbound/memory/ports/memory-redaction.ts';
import { MemorySchedulers } from '../../src/adapters/outbound/memory/ports/memory-schedulers.ts';
import { MemoryStoreHealth } from '../../src/adapters/outbound/memory/ports/memory-store-health.ts';
import { MemoryGroups } from '../../src/adapters/outbound/memory/ports/memory-groups.ts';
import { MemorySystem } from '../../src/adapters/outbound/memory/ports/memory-system.ts';
import type { MemoryStore } from '../../src/adapters/outbound/memory/state/memory-store.ts';
import { StoreRecords } from '../../src/adapters/outbound/memory/records/store-records.ts';
import type { QueueHarness, QueueReplica } from '../contracts/queue-harness.ts';
import { STALLED_GRACE } from '../contracts/queue-steps.ts';
import { FakeClock } from './fake-clock.ts';
import { memoryStore } from './memory-store.ts';

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
  const policies = new MemoryPolicyStore(store);
  const hooks = new MemoryHookStore(records);
  const hookStates = new MemoryHookStates(clock, records);
  const accessTokens = new MemoryAccessTokens(records);
  const sessions = new MemorySessions(clock, records);
  const settingSets = new MemorySettingSets(records);
  const quotas = new MemoryQuotas(clock);
  const audit = new MemoryAudit(10, records);
  const callFigures = new MemoryCallFigures(store);
  const figures = new MemoryFigures(store);
  const system = new MemorySystem(store, ampleRoom);
  const oneTime = new MemoryOneTimeStore<unknown>(clock);
  const schedulers = new MemorySchedulers(store);
  const endedRemoval = new MemoryEndedRemoval(store, clock, records);
  const redaction = new MemoryRedaction(store, clock, records);
  const replica = (): QueueReplica => ({
    queues: new MemoryQueues(store),
    attempts: new MemoryAttempts(store),
    flows: new MemoryFlows(store),
    groups: new MemoryGroups(store),
    jobControl: new MemoryJobControl(store),
    jobEndings: new MemoryJobEndings(store),
    jobScan: new MemoryJobScan(store),
    jobParts: new MemoryJobParts(store),
    events: new MemoryEvents(store),
    oneTime,
    queueControl: new MemoryQueueControl(store),
    queueDirectory: new MemoryQueueDirectory(store),
    expiry: new MemoryExpiry(store),
    endedRemoval,
    redaction,
    erasure: new MemoryErasure(store),
    policies,
    hooks,
    hookStates,
    accessTokens,
    sessions,
    settingSets,
    quotas,
    audit,
    schedulers,
    callFigures,
    figures,
    system,
    breakers: new MemoryBreaker(store),
    queueStandings: new MemoryQueueStandings(store),
    demand: new MemoryDemand(store),
    storeHealth: new MemoryStoreHealth(ampleRoom),
  });
  return {
    ...replica(),
    clock,
    store,
    prefix,
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    entriesOfGroups: (queues) => {
      const entries = queues.map((queue) => store.find(queue)?.groups.entries ?? 0);
      return Promise.resolve(entries.reduce((sum, each) => sum + each, 0));
    },
    replica: () => Promise.resolve(replica()),
    dispose: () => Promise.resolve(),
  };
}
