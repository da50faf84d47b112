import { collectionPorts } from '../../../../application/kept/collections.ts';
import { createQueue } from '../../../../domain/transitions/queue-control.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { StorePorts } from '../../../../application/store-ports.ts';
import type { SystemPort } from '../../../../application/ports/system-port.ts';
import type { StoreRecords } from '../records/store-records.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { MemoryAccessTokens } from './memory-access-tokens.ts';
import { memoryAttempts } from './memory-attempts.ts';
import { MemoryAudit } from './memory-audit.ts';
import { memoryBreaker } from './memory-breaker.ts';
import { MemoryCallFigures } from './memory-call-figures.ts';
import { MemoryCollection } from './memory-collection.ts';
import { memoryDemand } from './memory-demand.ts';
import { memoryEndedRemoval } from './memory-ended-removal.ts';
import { memoryErasure } from './memory-erasure.ts';
import { MemoryEvents } from './memory-events.ts';
import { memoryExpiry } from './memory-expiry.ts';
import { MemoryFigures } from './memory-figures.ts';
import { MemoryFlows } from './memory-flows.ts';
import { memoryGroups } from './memory-groups.ts';
import { memoryJobControl } from './memory-job-control.ts';
import { memoryJobEndings } from './memory-job-endings.ts';
import { MemoryJobParts } from './memory-job-parts.ts';
import { MemoryJobScan } from './memory-job-scan.ts';
import { memoryNativeTurns } from './memory-native-turns.ts';
import { MemoryOneTimeStore } from './memory-one-time-store.ts';
import { memoryQueueControl } from './memory-queue-control.ts';
import { memoryQueueDirectory } from './memory-queue-directory.ts';
import { memoryQueueStandings } from './memory-queue-standings.ts';
import { MemoryQueues } from './memory-queues.ts';
import { MemoryQuotas } from './memory-quotas.ts';
import { memoryRedaction } from './memory-redaction.ts';
import { memoryJobSignals } from './memory-job-signals.ts';
import { memorySteps } from './memory-steps.ts';
import { memorySchedulers } from './memory-schedulers.ts';
import { MemorySessions } from './memory-sessions.ts';
import { MemorySharedWork } from './memory-shared-work.ts';
import { MemorySettingSets } from './memory-setting-sets.ts';
import type { Steps } from './steps.ts';

/** The dependencies of the ports of a store in memory. */
export interface MemoryParts {
  readonly store: MemoryStore;
  readonly records: StoreRecords;
  /** Keeps what only other replicas need to know, where there are others. */
  readonly shared: StoreRecords;
  readonly system: SystemPort;
  readonly clock: ClockPort;
  /** How many entries the audit keeps. */
  readonly auditEntries: number;
  /** Runs the steps of large requests. */
  readonly steps: Steps;
  /** Overwrites what was removed, where it is kept. */
  readonly scrub?: () => Promise<void>;
}

/** The ports of a store in memory. All are made before any record is read. */
export function memoryPorts({
  store,
  records,
  shared,
  system,
  clock,
  auditEntries,
  steps,
  scrub,
}: MemoryParts): StorePorts {
  const queues = new MemoryQueues(store, steps);
  return {
    ...collectionPorts(
      (collection) =>
        new MemoryCollection(records, collection, (queue) => {
          createQueue(store.open(queue));
        }),
    ),
    queues,
    movingQueues: queues,
    queueControl: memoryQueueControl(store, steps),
    queueDirectory: memoryQueueDirectory(store),
    queueStandings: memoryQueueStandings(store),
    demand: memoryDemand(store),
    attempts: memoryAttempts(store),
    steps: memorySteps(store),
    jobSignals: memoryJobSignals(store, steps),
    flows: new MemoryFlows(store, steps),
    groups: memoryGroups(store),
    nativeTurns: memoryNativeTurns(),
    jobControl: memoryJobControl(store, steps),
    jobEndings: memoryJobEndings(store),
    jobScan: new MemoryJobScan(store),
    jobParts: new MemoryJobParts(store),
    events: new MemoryEvents(store),
    breakers: memoryBreaker(store),
    expiry: memoryExpiry(store),
    endedRemoval: memoryEndedRemoval(store),
    redaction: memoryRedaction(store),
    erasure: memoryErasure(store, scrub),
    callFigures: new MemoryCallFigures(store),
    figures: new MemoryFigures(store),
    schedulers: memorySchedulers(store),
    accessTokens: new MemoryAccessTokens(records),
    sessions: new MemorySessions(clock, records),
    settingSets: new MemorySettingSets(records),
    audit: new MemoryAudit(auditEntries, records),
    sharedWork: new MemorySharedWork(clock, records),
    quotas: new MemoryQuotas(clock, shared),
    tickets: new MemoryOneTimeStore(clock, shared, 'ticket'),
    repairCodes: new MemoryOneTimeStore(clock, shared, 'repair-code'),
    system,
  };
}
