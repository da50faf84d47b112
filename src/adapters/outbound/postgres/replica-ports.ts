import { memoryFull } from '../../../domain/errors.ts';
import type { ClockPort } from '../../../application/ports/clock-port.ts';
import { MemoryAccessTokens } from '../memory/ports/memory-access-tokens.ts';
import { MemoryAttempts } from '../memory/ports/memory-attempts.ts';
import { MemoryAudit } from '../memory/ports/memory-audit.ts';
import { MemoryBreaker } from '../memory/ports/memory-breaker.ts';
import { MemoryCallFigures } from '../memory/ports/memory-call-figures.ts';
import { MemoryDemand } from '../memory/ports/memory-demand.ts';
import { MemoryEndedRemoval } from '../memory/ports/memory-ended-removal.ts';
import { MemoryErasure } from '../memory/ports/memory-erasure.ts';
import { MemoryEvents } from '../memory/ports/memory-events.ts';
import { MemoryExpiry } from '../memory/ports/memory-expiry.ts';
import { MemoryFigures } from '../memory/ports/memory-figures.ts';
import { MemoryFlows } from '../memory/ports/memory-flows.ts';
import { MemoryGroups } from '../memory/ports/memory-groups.ts';
import { MemoryHookStates } from '../memory/ports/memory-hook-states.ts';
import { MemoryHookStore } from '../memory/ports/memory-hook-store.ts';
import { MemoryJobControl } from '../memory/ports/memory-job-control.ts';
import { MemoryJobEndings } from '../memory/ports/memory-job-endings.ts';
import { MemoryJobParts } from '../memory/ports/memory-job-parts.ts';
import { MemoryJobScan } from '../memory/ports/memory-job-scan.ts';
import { MemoryKeyChecks } from '../memory/ports/memory-key-checks.ts';
import { MemoryOneTimeStore } from '../memory/ports/memory-one-time-store.ts';
import { MemoryPolicyStore } from '../memory/ports/memory-policy-store.ts';
import { MemoryQueueControl } from '../memory/ports/memory-queue-control.ts';
import { MemoryQueueDirectory } from '../memory/ports/memory-queue-directory.ts';
import { MemoryQueueStandings } from '../memory/ports/memory-queue-standings.ts';
import { MemoryQueues } from '../memory/ports/memory-queues.ts';
import { MemoryQuotas } from '../memory/ports/memory-quotas.ts';
import { MemoryRedaction } from '../memory/ports/memory-redaction.ts';
import { MemorySchedulers } from '../memory/ports/memory-schedulers.ts';
import { MemorySettingSets } from '../memory/ports/memory-setting-sets.ts';
import { MemorySessions } from '../memory/ports/memory-sessions.ts';
import { MemoryWorkerStore } from '../memory/ports/memory-worker-store.ts';
import { Steps } from '../memory/ports/steps.ts';
import { growingPort, type GrowingMethods, type RoomCheck } from '../memory/room/growing-port.ts';
import type { MemoryRoom } from '../memory/room/memory-room.ts';
import type { StoreRecords } from '../memory/records/store-records.ts';
import type { MemoryStore } from '../memory/state/memory-store.ts';
import { PostgresSystem, type ReachedSchema } from './ports/postgres-system.ts';
import type { Rounds } from './rounds/rounds.ts';
import { sharedPort, type SharedMethods } from './rounds/shared-port.ts';

/** How much of something the store keeps. */
export interface MostKept {
  readonly auditEntries: number;
  readonly workers: number;
}

/** What the ports of a replica stand on. */
export interface ReplicaParts {
  readonly queues: MemoryStore;
  readonly records: StoreRecords;
  readonly clock: ClockPort;
  readonly reached: ReachedSchema;
  readonly most: MostKept;
  readonly room: MemoryRoom;
}

/** The ports of one replica: those of its memory, in rounds. All are made before any record is read. */
export function replicaPorts(
  { queues, records, clock, reached, most, room }: ReplicaParts,
  rounds: Rounds,
) {
  const shared = <Port extends object>(port: Port, methods: SharedMethods<Port>): Port =>
    sharedPort(port, methods, rounds);
  const steps = new Steps({
    small: (step) => rounds.change(step),
    piece: (step) => rounds.changePiece(step),
  });
  const system = new PostgresSystem(queues, room, records, reached);
  const gate: RoomCheck = {
    check: () => {
      room.check();
      const full = system.fullMemory();
      if (full !== undefined) throw memoryFull(full);
    },
    checkLarge: () => {
      room.checkLarge();
    },
  };
  const growing = <Port extends object>(
    port: Port,
    methods: SharedMethods<Port>,
    growth: GrowingMethods<Port>,
  ): Port => growingPort(shared(port, methods), growth, gate);
  const ofQueues: SharedMethods<MemoryQueues> = {
    local: ['add', 'addOnce'],
    streams: ['findEach'],
  };
  return {
    queues: growing(new MemoryQueues(queues, steps), ofQueues, { add: 'adds', addOnce: 'adds' }),
    movingQueues: shared(new MemoryQueues(queues, steps), ofQueues),
    attempts: growing(
      new MemoryAttempts(queues),
      {
        changes: [
          'claim',
          'claimBatch',
          'settle',
          'noteCall',
          'forgetCall',
          'release',
          'reportEnding',
          'reportRelease',
          'extend',
          'accept',
          'endCall',
          'overdue',
          'renew',
          'reportProgress',
          'addLog',
          'recoverStalled',
        ],
        local: ['waitForJobs'],
      },
      { reportProgress: 'enlarges', addLog: 'enlarges' },
    ),
    flows: growing(
      new MemoryFlows(queues, steps),
      { local: ['add'], streams: ['children', 'childNodes'] },
      { add: 'adds' },
    ),
    groups: growing(
      new MemoryGroups(queues),
      {
        changes: ['saveSettings', 'removeSettings', 'pause', 'resume', 'hold', 'endHold'],
        streams: ['list'],
      },
      { saveSettings: 'enlarges' },
    ),
    jobControl: growing(
      new MemoryJobControl(queues, steps),
      {
        changes: ['removeAlone', 'removeActive', 'promote', 'retry', 'cancel', 'change'],
        local: ['bringTogether', 'remove'],
      },
      { change: 'enlarges' },
    ),
    jobEndings: shared(new MemoryJobEndings(queues), {}),
    jobScan: shared(new MemoryJobScan(queues), { streams: ['look'] }),
    jobParts: shared(new MemoryJobParts(queues), { streams: ['summaries'] }),
    events: shared(new MemoryEvents(queues), {}),
    queueControl: shared(new MemoryQueueControl(queues, steps), {
      changes: ['pause', 'resume', 'hold', 'endHold', 'endDeduplication'],
      local: ['remove', 'drain'],
    }),
    queueDirectory: shared(new MemoryQueueDirectory(queues), { local: ['discover'] }),
    queueStandings: shared(new MemoryQueueStandings(queues), { changes: ['noteClaim'] }),
    demand: shared(new MemoryDemand(queues), {}),
    breakers: shared(new MemoryBreaker(queues), { changes: ['close'] }),
    expiry: shared(new MemoryExpiry(queues), { changes: ['expireDue'] }),
    endedRemoval: shared(new MemoryEndedRemoval(queues, clock, records), {
      changes: ['claimSweep', 'removeBeyond'],
    }),
    redaction: shared(new MemoryRedaction(queues, clock, records), {
      changes: ['claimSweep', 'redactBeyond'],
    }),
    erasure: shared(new MemoryErasure(queues), {
      changes: ['redact', 'forgetEvents', 'forgetAdds', 'forgetGroups'],
      local: ['scrub'],
    }),
    callFigures: shared(new MemoryCallFigures(queues), { changes: ['save', 'forget'] }),
    figures: shared(new MemoryFigures(queues), {
      changes: ['save', 'saveTotal', 'claimSample', 'saveSample', 'forget'],
    }),
    schedulers: growing(
      new MemorySchedulers(queues),
      { changes: ['save', 'pause', 'resume', 'noteRunByHand', 'remove'], streams: ['list'] },
      { save: 'adds' },
    ),
    policies: growing(
      new MemoryPolicyStore(queues),
      { changes: ['save', 'remove'] },
      { save: 'enlarges' },
    ),
    hooks: growing(
      new MemoryHookStore(records),
      { changes: ['change', 'remove'] },
      { change: 'enlarges' },
    ),
    hookStates: shared(new MemoryHookStates(clock, records), {
      changes: ['claimLook', 'change', 'remove'],
    }),
    workers: growing(
      new MemoryWorkerStore(records, most.workers),
      { changes: ['save', 'change', 'remove'] },
      { save: 'enlarges' },
    ),
    accessTokens: growing(
      new MemoryAccessTokens(records),
      { changes: ['create', 'replace', 'remove', 'recordUses'] },
      { create: 'enlarges' },
    ),
    sessions: shared(new MemorySessions(clock, records), {
      changes: ['create', 'replace', 'remove'],
    }),
    settingSets: growing(
      new MemorySettingSets(records),
      { changes: ['change'] },
      { change: 'enlarges' },
    ),
    audit: shared(new MemoryAudit(most.auditEntries, records), { changes: ['save', 'remove'] }),
    keyChecks: shared(new MemoryKeyChecks(records), { changes: ['saveFirst'] }),
    quotas: shared(new MemoryQuotas(clock, records), { changes: ['lease'] }),
    tickets: shared(new MemoryOneTimeStore<never>(clock, records, 'ticket'), {
      changes: ['save', 'take'],
    }),
    repairCodes: shared(new MemoryOneTimeStore<never>(clock, records, 'repair-code'), {
      changes: ['save', 'take'],
    }),
    system: shared(system, {
      changes: ['report', 'reportMemory', 'dataId'],
      local: ['store', 'nativeVersions', 'fullMemory'],
    }),
  };
}

export type ReplicaPorts = ReturnType<typeof replicaPorts>;
