import type { ContainerModuleLoadOptions } from 'inversify';
import { MemoryAttempts } from '../../adapters/outbound/memory/ports/memory-attempts.ts';
import { MemoryQueueStandings } from '../../adapters/outbound/memory/ports/memory-queue-standings.ts';
import { MemoryBreaker } from '../../adapters/outbound/memory/ports/memory-breaker.ts';
import { MemoryCallFigures } from '../../adapters/outbound/memory/ports/memory-call-figures.ts';
import { MemoryAudit } from '../../adapters/outbound/memory/ports/memory-audit.ts';
import { MemoryAccessTokens } from '../../adapters/outbound/memory/ports/memory-access-tokens.ts';
import { MemoryRedaction } from '../../adapters/outbound/memory/ports/memory-redaction.ts';
import { MemoryDemand } from '../../adapters/outbound/memory/ports/memory-demand.ts';
import { MemoryEndedRemoval } from '../../adapters/outbound/memory/ports/memory-ended-removal.ts';
import { MemoryErasure } from '../../adapters/outbound/memory/ports/memory-erasure.ts';
import { MemoryEvents } from '../../adapters/outbound/memory/ports/memory-events.ts';
import { MemoryExpiry } from '../../adapters/outbound/memory/ports/memory-expiry.ts';
import { MemoryFigures } from '../../adapters/outbound/memory/ports/memory-figures.ts';
import { MemoryFlows } from '../../adapters/outbound/memory/ports/memory-flows.ts';
import { MemoryNativeTurns } from '../../adapters/outbound/memory/ports/memory-native-turns.ts';
import { MemoryPolicyStore } from '../../adapters/outbound/memory/ports/memory-policy-store.ts';
import { MemoryGroups } from '../../adapters/outbound/memory/ports/memory-groups.ts';
import { MemoryHookStates } from '../../adapters/outbound/memory/ports/memory-hook-states.ts';
import { MemoryHookStore } from '../../adapters/outbound/memory/ports/memory-hook-store.ts';
import { MemoryJobControl } from '../../adapters/outbound/memory/ports/memory-job-control.ts';
import { MemoryJobEndings } from '../../adapters/outbound/memory/ports/memory-job-endings.ts';
import { MemoryJobParts } from '../../adapters/outbound/memory/ports/memory-job-parts.ts';
import { MemoryJobScan } from '../../adapters/outbound/memory/ports/memory-job-scan.ts';
import { MemoryQueueControl } from '../../adapters/outbound/memory/ports/memory-queue-control.ts';
import { MemoryQueueDirectory } from '../../adapters/outbound/memory/ports/memory-queue-directory.ts';
import { MemoryQueues } from '../../adapters/outbound/memory/ports/memory-queues.ts';
import { MemorySchedulers } from '../../adapters/outbound/memory/ports/memory-schedulers.ts';
import { MemoryStore } from '../../adapters/outbound/memory/state/memory-store.ts';
import { MemorySystem, type KeptIn } from '../../adapters/outbound/memory/ports/memory-system.ts';
import { MemorySignals } from '../../adapters/outbound/memory/ports/memory-signals.ts';
import { MemoryQuotas } from '../../adapters/outbound/memory/ports/memory-quotas.ts';
import { MemorySettingSets } from '../../adapters/outbound/memory/ports/memory-setting-sets.ts';
import { MemorySessions } from '../../adapters/outbound/memory/ports/memory-sessions.ts';
import { MemoryOneTimeStore } from '../../adapters/outbound/memory/ports/memory-one-time-store.ts';
import { MemoryKeyChecks } from '../../adapters/outbound/memory/ports/memory-key-checks.ts';
import type { Steps } from '../../adapters/outbound/memory/ports/steps.ts';
import {
  growingPort,
  type GrowingMethods,
} from '../../adapters/outbound/memory/room/growing-port.ts';
import type { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { MemoryWorkerStore } from '../../adapters/outbound/memory/ports/memory-worker-store.ts';
import type { StoreRecords } from '../../adapters/outbound/memory/records/store-records.ts';
import type { WrittenMethods } from '../../adapters/outbound/embedded/written-port.ts';
import type { QueuePort } from '../../application/ports/queue-port.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import { instanceName } from '../instance-name.ts';
import type { Config } from '../config/config.ts';
import { token, tokens } from './tokens.ts';
import { Wiring } from './wiring.ts';

/** What the memory of a process is kept with: nothing, or a file. */
export interface Keeping {
  readonly records: StoreRecords;
  readonly room: MemoryRoom;
  /** Has the answers of some methods of a port wait until what they changed, or show, is on the disk. */
  readonly written: <Port extends object>(port: Port, methods: WrittenMethods<Port>) => Port;
  /** Runs the steps of the ports, and has them stored. */
  readonly steps: Steps;
  /** Whether a job that was added is on the disk. */
  readonly isStored: (queue: QueueName, jobId: string) => boolean;
  /** Overwrites what was removed, once it is on the disk. */
  readonly scrub: () => Promise<void>;
}

export const memoryStore = token<MemoryStore>('memory store');
const ungatedQueues = token<QueuePort>('queues without a gate');
const memoryAttempts = token<MemoryAttempts>('memory attempts');

/** The system of a store in memory, which reports at once that the memory is full, or has room again. */
export function memorySystem(store: MemoryStore, room: MemoryRoom, keptIn?: KeptIn): MemorySystem {
  const system = new MemorySystem(store, room, keptIn);
  room.onChange(() => {
    void system.reportMemory(instanceName());
  });
  return system;
}

/**
 * Binds the ports of a store in memory (platform contract, section 15: which answers promise that the change is on the
 * disk, where there is one).
 */
export function bindMemoryPorts(
  bind: ContainerModuleLoadOptions['bind'],
  { queues, workers, audit }: Config,
  keeping: Keeping,
): void {
  const { records, room, written, steps } = keeping;
  const growing = <Port extends object>(port: Port, methods: GrowingMethods<Port>): Port =>
    growingPort(port, methods, room);
  const { inOrder } = new Wiring(bind);
  const settings = {
    stalledGrace: stalledGrace(workers.stalledInterval),
    eventsKept: queues.eventsKept,
    prefix: queues.prefix,
    replica: instanceName(),
  };
  bind(memoryStore).toResolvedValue(
    (clock, calendar, hooks) =>
      new MemoryStore(
        clock,
        calendar,
        { ...settings, hooksOf: (queue) => hooks.of(queue), skipsSlots: () => room.skipsSlots() },
        records,
      ),
    [tokens.clockPort, tokens.calendarPort, tokens.hooksOfQueues],
  );
  bind(ungatedQueues).toResolvedValue(
    (store) =>
      written(new MemoryQueues(store, steps), {
        add: 'grows',
        addOnce: 'grows',
        recall: 'reads queue',
        list: 'reads queue',
        summary: 'reads queue',
        find: 'reads job',
        findEach: 'reads queue',
        attempts: 'reads job',
        logs: 'reads job',
      }),
    [memoryStore],
  );
  bind(tokens.queuePort).toResolvedValue(
    (ungated) => growing(ungated, { add: 'adds', addOnce: 'adds' }),
    [ungatedQueues],
  );
  bind(tokens.movingQueuePort).toResolvedValue((ungated) => ungated, [ungatedQueues]);
  bind(tokens.queueControlPort).toResolvedValue(
    (store) =>
      written(new MemoryQueueControl(store, steps), {
        pause: true,
        resume: true,
        hold: true,
        endHold: true,
        // What removes many jobs at once needs room as well, in the log.
        remove: 'grows',
        drain: 'grows',
        endDeduplication: true,
      }),
    [memoryStore],
  );
  bind(tokens.queueDirectoryPort).toResolvedValue(
    (store) => written(new MemoryQueueDirectory(store), { glances: 'reads store' }),
    [memoryStore],
  );
  bind(memoryAttempts).toResolvedValue((store) => writtenAttempts(store, keeping), [memoryStore]);
  bind(tokens.attemptEnginePort).toResolvedValue((attempts) => attempts, [memoryAttempts]);
  bind(tokens.attemptHolderPort).toResolvedValue((attempts) => attempts, [memoryAttempts]);
  bind(tokens.attemptSweepPort).toResolvedValue((attempts) => attempts, [memoryAttempts]);
  bind(tokens.breakerPort).toResolvedValue(
    (store) => written(new MemoryBreaker(store), { close: true }),
    [memoryStore],
  );
  bind(tokens.groupStorePort).toResolvedValue(
    (store) =>
      written(growing(new MemoryGroups(store), { saveSettings: 'enlarges' }), {
        saveSettings: 'grows',
        removeSettings: true,
        pause: true,
        resume: true,
        hold: true,
        endHold: true,
        list: 'reads queue',
        find: 'reads queue',
      }),
    [memoryStore],
  );
  inOrder(tokens.nativeTurnPort, MemoryNativeTurns, []);
  bind(tokens.queueStandingPort).toResolvedValue(
    (store) =>
      written(new MemoryQueueStandings(store), {
        standings: 'reads store',
        stuckParents: 'reads queue',
        failedChildren: 'reads store',
        awaitedJob: 'reads store',
      }),
    [memoryStore],
  );
  bind(tokens.demandPort).toResolvedValue(
    (store) => written(new MemoryDemand(store), { facts: 'reads store' }),
    [memoryStore],
  );
  inOrder(tokens.callFiguresPort, MemoryCallFigures, [memoryStore]);
  inOrder(tokens.figuresPort, MemoryFigures, [memoryStore]);
  inOrder(tokens.expiryPort, MemoryExpiry, [memoryStore]);
  inOrder(tokens.endedRemovalPort, MemoryEndedRemoval, [memoryStore, tokens.clockPort]);
  inOrder(tokens.redactionPort, MemoryRedaction, [memoryStore, tokens.clockPort]);
  bind(tokens.erasurePort).toResolvedValue(
    (store) =>
      written(new MemoryErasure(store, keeping.scrub), {
        redact: true,
        forgetEvents: true,
        forgetAdds: true,
        forgetGroups: true,
      }),
    [memoryStore],
  );
  bind(tokens.flowPort).toResolvedValue(
    (store) =>
      written(growing(new MemoryFlows(store, steps), { add: 'adds' }), {
        add: 'grows',
        recall: 'reads queue',
        children: 'reads store',
        node: 'reads job',
        childNodes: 'reads store',
        childAddresses: 'reads queue',
      }),
    [memoryStore],
  );
  bind(tokens.jobControlPort).toResolvedValue(
    (store) =>
      written(growing(new MemoryJobControl(store, steps), { change: 'enlarges' }), {
        remove: true,
        removeAlone: true,
        removeActive: true,
        promote: true,
        retry: true,
        cancel: true,
        change: 'grows',
      }),
    [memoryStore],
  );
  inOrder(tokens.jobEndingsPort, MemoryJobEndings, [memoryStore]);
  bind(tokens.eventPort).toResolvedValue(
    (store) => written(new MemoryEvents(store), { read: 'reads queue', readAll: 'reads store' }),
    [memoryStore],
  );
  inOrder(tokens.ticketStore, MemoryOneTimeStore, [tokens.clockPort]);
  inOrder(tokens.repairCodeStore, MemoryOneTimeStore, [tokens.clockPort]);
  bind(tokens.jobScanPort).toResolvedValue(
    (store) =>
      written(new MemoryJobScan(store), {
        scan: 'reads queue',
        oldest: 'reads queue',
        look: 'reads queue',
      }),
    [memoryStore],
  );
  bind(tokens.jobPartPort).toResolvedValue(
    (store) =>
      written(new MemoryJobParts(store), {
        list: 'reads queue',
        summaries: 'reads queue',
        value: 'reads job',
      }),
    [memoryStore],
  );
  bind(tokens.keptWorkers).toConstantValue(
    written(growing(new MemoryWorkerStore(records), { save: 'enlarges' }), {
      save: 'grows',
      change: true,
      remove: true,
    }),
  );
  bind(tokens.keptHooks).toConstantValue(
    written(growing(new MemoryHookStore(records), { change: 'enlarges' }), {
      change: 'grows',
      remove: true,
    }),
  );
  bind(tokens.hookStatePort).toResolvedValue(
    (clock) => written(new MemoryHookStates(clock, records), { change: 'grows', remove: true }),
    [tokens.clockPort],
  );
  bind(tokens.keyCheckStorePort).toConstantValue(
    written(new MemoryKeyChecks(records), { saveFirst: true }),
  );
  bind(tokens.auditStorePort).toConstantValue(
    written(new MemoryAudit(audit.kept, records), { save: true, remove: true }),
  );
  bind(tokens.accessTokenStorePort).toConstantValue(
    written(growing(new MemoryAccessTokens(records), { create: 'enlarges' }), {
      create: 'grows',
      replace: true,
      remove: true,
    }),
  );
  inOrder(tokens.quotaPort, MemoryQuotas, [tokens.clockPort]);
  bind(tokens.sessionStorePort).toResolvedValue(
    (clock) =>
      written(new MemorySessions(clock, records), { create: true, replace: true, remove: true }),
    [tokens.clockPort],
  );
  bind(tokens.settingSetPort).toConstantValue(
    written(growing(new MemorySettingSets(records), { change: 'enlarges' }), { change: 'grows' }),
  );
  bind(tokens.keptPolicies).toResolvedValue(
    (store) =>
      written(growing(new MemoryPolicyStore(store), { save: 'enlarges' }), {
        save: 'grows',
        remove: true,
      }),
    [memoryStore],
  );
  bind(tokens.schedulerPort).toResolvedValue(
    (store) =>
      written(growing(new MemorySchedulers(store), { save: 'adds' }), {
        save: 'grows',
        pause: true,
        resume: true,
        remove: true,
      }),
    [memoryStore],
  );
  bind(tokens.replicaSignalsPort).toConstantValue(new MemorySignals());
}

/**
 * Claims for webhook calls, renewals, progress and logs are not waited for, with three exceptions. A job that stalled
 * before may have ended its process, and is claimed on the disk before its next call. A job whose add is not on the disk
 * yet may be gone after a kill, and its id be that of another job: no endpoint may have seen it. Nor may an endpoint see
 * what children returned before their ends are on the disk. The ending of a call answers nobody, so the next call waits
 * for it only while the disk lags.
 */
function writtenAttempts(store: MemoryStore, { room, written, isStored }: Keeping): MemoryAttempts {
  const needsDisk = (queue: QueueName, { jobId, children = [] }: Attempt): boolean =>
    children.length > 0 ||
    !isStored(queue, jobId) ||
    (store.find(queue)?.jobs.find(jobId)?.stalledCount ?? 0) > 0;
  const attempts = growingPort(
    new MemoryAttempts(store),
    { reportProgress: 'enlarges', addLog: 'enlarges' },
    room,
  );
  return written(attempts, {
    claim: (claim, queue, { isPulled }) =>
      claim.kind === 'attempt' && (isPulled === true || needsDisk(queue, claim.attempt)),
    claimBatch: ({ attempts }, queue, { isPulled }) =>
      attempts.length > 0 &&
      (isPulled === true || attempts.some((attempt) => needsDisk(queue, attempt))),
    settle: ({ next }, queue) =>
      (next?.kind === 'attempt' && needsDisk(queue, next.attempt)) || 'lagging',
    release: true,
    reportEnding: true,
    reportRelease: true,
    extend: true,
    accept: true,
    wasReported: 'reads queue',
    reportProgress: 'grows later',
    addLog: 'grows later',
  });
}
