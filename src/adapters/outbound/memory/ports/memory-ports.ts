import { ACCESS_TOKENS } from '../../../../application/kept/access-tokens.ts';
import { collectionPorts } from '../../../../application/kept/collections.ts';
import { createQueue } from '../../../../domain/transitions/queue-control.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { StorePorts } from '../../../../application/store-ports.ts';
import type { SystemPort } from '../../../../application/ports/system-port.ts';
import type { StoreRecords } from '../records/store-records.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { memoryAttempts } from './memory-attempts.ts';
import { memoryAudit } from './memory-audit.ts';
import { memoryBreaker } from './memory-breaker.ts';
import { memoryCallFigures } from './memory-call-figures.ts';
import { memoryCollection } from './memory-collection.ts';
import { memoryDemand } from './memory-demand.ts';
import { memoryEndedRemoval } from './memory-ended-removal.ts';
import { memoryErasure } from './memory-erasure.ts';
import { memoryEvents } from './memory-events.ts';
import { memoryExpiry } from './memory-expiry.ts';
import { memoryFigures } from './memory-figures.ts';
import { memoryFlows } from './memory-flows.ts';
import { memoryGroups } from './memory-groups.ts';
import { memoryJobControl } from './memory-job-control.ts';
import { memoryJobEndings } from './memory-job-endings.ts';
import { memoryJobParts } from './memory-job-parts.ts';
import { memoryJobScan } from './memory-job-scan.ts';
import { memoryNativeTurns } from './memory-native-turns.ts';
import { memoryLimitUse } from './memory-limit-use.ts';
import { memoryOneTimeStore } from './memory-one-time-store.ts';
import { memoryQueueControl } from './memory-queue-control.ts';
import { memoryQueueDirectory } from './memory-queue-directory.ts';
import { memoryQueueStandings } from './memory-queue-standings.ts';
import { memoryQueues } from './memory-queues.ts';
import { memoryQuotas } from './memory-quotas.ts';
import { memoryRedaction } from './memory-redaction.ts';
import { memoryJobSignals } from './memory-job-signals.ts';
import { memorySteps } from './memory-steps.ts';
import { memorySchedulers } from './memory-schedulers.ts';
import { memorySessions } from './memory-sessions.ts';
import { memorySharedWork } from './memory-shared-work.ts';
import { memorySettingSets } from './memory-setting-sets.ts';
import { memoryTokenUses } from './memory-token-uses.ts';
import { memoryTopics } from './memory-topics.ts';
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
export function memoryPorts(parts: MemoryParts): StorePorts {
  const { store, records, shared, clock, steps } = parts;
  const queues = memoryQueues(store, steps);
  return {
    ...collectionPorts((collection) =>
      memoryCollection(records, collection, (queue) => {
        createQueue(store.open(queue));
      }),
    ),
    queues,
    movingQueues: queues,
    queueControl: memoryQueueControl(store, steps),
    queueDirectory: memoryQueueDirectory(store),
    queueStandings: memoryQueueStandings(store),
    demand: memoryDemand(store),
    limitUse: memoryLimitUse(store),
    attempts: memoryAttempts(store, steps),
    steps: memorySteps(store, steps),
    jobSignals: memoryJobSignals(store, steps),
    topics: memoryTopics(store, steps),
    flows: memoryFlows(store, steps),
    groups: memoryGroups(store),
    nativeTurns: memoryNativeTurns(),
    jobControl: memoryJobControl(store, steps),
    jobEndings: memoryJobEndings(store),
    jobScan: memoryJobScan(store),
    jobParts: memoryJobParts(store),
    events: memoryEvents(store),
    breakers: memoryBreaker(store),
    expiry: memoryExpiry(store),
    endedRemoval: memoryEndedRemoval(store),
    redaction: memoryRedaction(store),
    erasure: memoryErasure(store, steps, parts.scrub),
    callFigures: memoryCallFigures(store),
    figures: memoryFigures(store),
    schedulers: memorySchedulers(store),
    accessTokens: memoryCollection(records, ACCESS_TOKENS),
    tokenUses: memoryTokenUses(records),
    sessions: memorySessions(clock, records),
    settingSets: memorySettingSets(records),
    audit: memoryAudit(parts.auditEntries, records),
    sharedWork: memorySharedWork(clock, records),
    quotas: memoryQuotas(clock, shared),
    tickets: memoryOneTimeStore(clock, shared, 'ticket'),
    repairCodes: memoryOneTimeStore(clock, shared, 'repair-code'),
    signInTries: memoryOneTimeStore(clock, shared, 'sign-in-try'),
    system: parts.system,
  };
}
