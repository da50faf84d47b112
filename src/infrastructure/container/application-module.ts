import { ContainerModule } from 'inversify';
import { AesSecretCipher } from '../../adapters/outbound/encryption/aes-secret-cipher.ts';
import { AttemptReports } from '../../application/attempts/attempt-reports.ts';
import { JobClaims } from '../../application/pulls/job-claims.ts';
import { Audit } from '../../application/audit/audit.ts';
import { AccessTokens } from '../../application/access/access-tokens.ts';
import { IssuedTokens } from '../../application/access/issued-tokens.ts';
import { RequestLimits } from '../../application/access/request-limits.ts';
import { Sessions } from '../../application/access/sessions.ts';
import { EventDigests } from '../../application/digests/event-digests.ts';
import { Events } from '../../application/events/events.ts';
import { RepairCodes } from '../../application/jobs/repair-codes.ts';
import { Tickets } from '../../application/events/tickets.ts';
import { Groups } from '../../application/groups/groups.ts';
import { Flows } from '../../application/flows/flows.ts';
import { Health } from '../../application/health/health.ts';
import { AwaitedAdds } from '../../application/jobs/awaited-adds.ts';
import { LetterOrigins } from '../../application/jobs/letter-origins.ts';
import { Redrives } from '../../application/jobs/redrives.ts';
import { BulkRepairs } from '../../application/jobs/bulk-repairs.ts';
import { Failures } from '../../application/jobs/failures.ts';
import { JobActions } from '../../application/jobs/job-actions.ts';
import { JobResults } from '../../application/jobs/job-results.ts';
import { JobWaits } from '../../application/jobs/job-waits.ts';
import { GroupListing } from '../../application/jobs/group-listing.ts';
import { JobSearch } from '../../application/jobs/job-search.ts';
import { Jobs } from '../../application/jobs/jobs.ts';
import { BacklogSampler } from '../../application/figures/backlog-sampler.ts';
import { FigureRecorder } from '../../application/figures/figure-recorder.ts';
import { Figures } from '../../application/figures/figures.ts';
import { RecentFailures } from '../../application/figures/recent-failures.ts';
import { BlockedJobs } from '../../application/jobs/blocked-jobs.ts';
import { BlockedQueues } from '../../application/queues/blocked-queues.ts';
import { ClaimNotes } from '../../application/pulls/claim-notes.ts';
import { DemandView } from '../../application/queues/demand-view.ts';
import { QueueDemands } from '../../application/queues/queue-demands.ts';
import { ScalingDemands } from '../../application/queues/scaling-demands.ts';
import { FiguredQueues } from '../../application/queues/figured-queues.ts';
import { QueueNames } from '../../application/queues/queue-names.ts';
import { QueueView } from '../../application/queues/queue-view.ts';
import { RecentQueueFigures } from '../../application/queues/recent-queue-figures.ts';
import { Queues } from '../../application/queues/queues.ts';
import { AttemptLog } from '../../application/attempts/attempt-log.ts';
import { AttemptObservers } from '../../application/attempts/attempt-observers.ts';
import { CallRecorder } from '../../application/calls/call-recorder.ts';
import { ErasureListener } from '../../application/jobs/erasure-listener.ts';
import { Erasures } from '../../application/jobs/erasures.ts';
import { EndedJobsSweep } from '../../application/jobs/ended-jobs-sweep.ts';
import { PayloadSweep } from '../../application/jobs/payload-sweep.ts';
import { ExpirySweep } from '../../application/maintenance/expiry-sweep.ts';
import { NativeTurns } from '../../application/groups/native-turns.ts';
import { OverdueSweep } from '../../application/maintenance/overdue-sweep.ts';
import { StalledSweep } from '../../application/maintenance/stalled-sweep.ts';
import { VisibleMessages } from '../../application/maintenance/visible-messages.ts';
import { Receives } from '../../application/messages/receives.ts';
import { Policies } from '../../application/policies/policies.ts';
import { SchedulerRates } from '../../application/schedulers/scheduler-rates.ts';
import { Schedulers } from '../../application/schedulers/schedulers.ts';
import { DataWatch } from '../../application/system/data-watch.ts';
import { ReplicaReports } from '../../application/system/replica-reports.ts';
import { StoreBackups } from '../../application/system/store-backups.ts';
import { System } from '../../application/system/system.ts';
import {
  callbackSealing,
  policySealing,
  secretsOfPolicies,
} from '../../application/callbacks/callback-sealing.ts';
import { Callbacks } from '../../application/callbacks/callbacks.ts';
import { SettingSets } from '../../application/policies/setting-sets.ts';
import { SealedPolicies } from '../../application/callbacks/sealed-policies.ts';
import { HooksOfEndings } from '../../application/hooks/hooks-of-endings.ts';
import { Fleet } from '../../application/workers/fleet.ts';
import { WorkerCalls } from '../../application/workers/worker-calls.ts';
import { WorkerTest } from '../../application/workers/worker-test.ts';
import { WorkerHealthReader } from '../../application/workers/worker-health-reader.ts';
import { EncryptionKeys } from '../../application/secrets/encryption-keys.ts';
import { KnownWorkers } from '../../application/workers/known-workers.ts';
import { SealedWorkers } from '../../application/workers/sealed-workers.ts';
import { secretsOfWorkers, workerSealing } from '../../application/workers/worker-sealing.ts';
import { Secrets } from '../../application/secrets/secrets.ts';
import { hookSealing, secretsOfHooks } from '../../application/hooks/hook-sealing.ts';
import { StoredHooksInForce } from '../../application/hooks/hooks-in-force.ts';
import { FailingHooks } from '../../application/hooks/failing-hooks.ts';
import { HookTest } from '../../application/hooks/hook-test.ts';
import { Hooks } from '../../application/hooks/hooks.ts';
import { SealedHooks } from '../../application/hooks/sealed-hooks.ts';
import { Workers } from '../../application/workers/workers.ts';
import { flowJobShape } from '../../domain/flows/flow.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import { renewalInterval } from '../../domain/attempts/stalled.ts';
import { workerShape } from '../../domain/workers/worker.ts';
import type { Config } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import { version } from '../version.ts';
import { tokens } from './tokens.ts';
import { resolve, Wiring } from './wiring.ts';

/** The use cases, and the fleet that processes jobs. */
export function applicationModule({
  auth,
  queues,
  sight,
  webhook,
  workers,
}: Config): ContainerModule {
  const { nameLimits, maxJobsPerAdd } = queues;
  const { lockDuration, stalledInterval } = workers;
  const name = queueName(nameLimits);
  return new ContainerModule(({ bind }) => {
    const { inOrder, byName } = new Wiring(bind);
    bind(tokens.hooksOfQueues).toConstantValue(new HooksOfEndings());

    byName(
      tokens.jobs,
      Jobs,
      {
        queues: tokens.queuePort,
        parts: tokens.jobPartPort,
        attempts: tokens.attemptHolderPort,
        policies: tokens.policies,
        callbacks: tokens.callbacks,
        workers: tokens.knownWorkers,
        observer: tokens.attemptObserver,
        tracing: tokens.tracing,
      },
      { maxJobsPerAdd },
    );
    inOrder(tokens.jobWaits, JobWaits, [tokens.queuePort, tokens.jobEndingsPort, tokens.clockPort]);
    inOrder(tokens.jobResults, JobResults, [tokens.queuePort, tokens.jobWaits, tokens.clockPort]);
    inOrder(tokens.awaitedAdds, AwaitedAdds, [tokens.jobs, tokens.jobWaits, tokens.clockPort]);
    inOrder(tokens.jobSearch, JobSearch, [
      tokens.jobScanPort,
      tokens.queuePort,
      tokens.jobPartPort,
      tokens.clockPort,
    ]);
    inOrder(tokens.groupListing, GroupListing, [tokens.jobs, tokens.jobSearch]);
    inOrder(tokens.failures, Failures, [tokens.jobScanPort, tokens.queuePort]);
    byName(tokens.jobActions, JobActions, {
      control: tokens.jobControlPort,
      queues: tokens.queuePort,
      workers: tokens.workerStorePort,
      policies: tokens.policies,
      signals: tokens.replicaSignalsPort,
      flows: tokens.flowPort,
      observer: tokens.attemptObserver,
    });
    byName(tokens.bulkRepairs, BulkRepairs, {
      scan: tokens.jobScanPort,
      control: tokens.jobControlPort,
      workers: tokens.workerStorePort,
      signals: tokens.replicaSignalsPort,
      observer: tokens.attemptObserver,
      clock: tokens.clockPort,
    });
    byName(tokens.redrives, Redrives, {
      scan: tokens.jobScanPort,
      queues: tokens.movingQueuePort,
      control: tokens.jobControlPort,
      observer: tokens.attemptObserver,
      clock: tokens.clockPort,
    });
    inOrder(tokens.letterOrigins, LetterOrigins, [tokens.jobScanPort]);
    byName(tokens.erasures, Erasures, {
      scan: tokens.jobScanPort,
      control: tokens.jobControlPort,
      erasure: tokens.erasurePort,
      figures: tokens.figuresPort,
      callFigures: tokens.callFiguresPort,
      names: tokens.queueNames,
      hooks: tokens.keptHooks,
      recorders: tokens.recordedReasons,
      signals: tokens.replicaSignalsPort,
      clock: tokens.clockPort,
    });
    bind(tokens.recordedReasons).toResolvedValue(
      (calls, figures, failures) => ({
        forget: (queue) => {
          calls.forget(queue);
          figures.forget(queue);
          failures.forget();
        },
      }),
      [tokens.callRecorder, tokens.figureRecorder, tokens.recentFailures],
    );
    inOrder(tokens.erasureListener, ErasureListener, [
      tokens.replicaSignalsPort,
      tokens.recordedReasons,
    ]);
    byName(
      tokens.flows,
      Flows,
      {
        flows: tokens.flowPort,
        policies: tokens.policies,
        callbacks: tokens.callbacks,
        workers: tokens.knownWorkers,
        ids: tokens.tokenPort,
        observer: tokens.attemptObserver,
        tracing: tokens.tracing,
      },
      { shape: flowJobShape(name) },
    );

    byName(tokens.attemptReports, AttemptReports, {
      attempts: tokens.attemptHolderPort,
      queues: tokens.queuePort,
      workers: tokens.knownWorkers,
      observer: tokens.attemptObserver,
      tracing: tokens.tracing,
      clock: tokens.clockPort,
    });
    bind(tokens.jobClaims).toDynamicValue((context) => {
      const dependencies = resolve(context, {
        attempts: tokens.attemptEnginePort,
        workers: tokens.knownWorkers,
        policies: tokens.policies,
        tokens: tokens.tokenPort,
        observer: tokens.attemptObserver,
        clock: tokens.clockPort,
        logger: tokens.loggerPort,
      });
      const notes = new ClaimNotes(context.get(tokens.queueStandingPort), dependencies.clock);
      const signals = context.get(tokens.replicaSignalsPort);
      return new JobClaims({ ...dependencies, notes }, signals, lockDuration);
    });
    byName(tokens.receives, Receives, {
      claims: tokens.jobClaims,
      reports: tokens.attemptReports,
      attempts: tokens.attemptHolderPort,
      queues: tokens.queuePort,
      control: tokens.jobControlPort,
      visible: tokens.visibleMessages,
      sweep: tokens.overdueSweep,
      policies: tokens.policies,
      clock: tokens.clockPort,
    });

    inOrder(tokens.blockedQueues, BlockedQueues, [tokens.queueStandingPort]);
    byName(tokens.blockedJobs, BlockedJobs, {
      jobs: tokens.jobs,
      view: tokens.queueView,
      standings: tokens.queueStandingPort,
      groups: tokens.groupStorePort,
      policies: tokens.policies,
    });
    inOrder(tokens.queueNames, QueueNames, [tokens.queueDirectoryPort, tokens.workerStorePort]);
    bind(tokens.queueView).toResolvedValue(
      (names, directory, workers, policies, clock) =>
        new QueueView(names, directory, workers, policies, clock, sight.queues),
      [
        tokens.queueNames,
        tokens.queueDirectoryPort,
        tokens.knownWorkers,
        tokens.policies,
        tokens.clockPort,
      ],
    );
    inOrder(tokens.queueDemands, QueueDemands, [
      tokens.demandPort,
      tokens.knownWorkers,
      tokens.policies,
    ]);
    inOrder(tokens.demandView, DemandView, [
      tokens.queueNames,
      tokens.queueDemands,
      tokens.clockPort,
    ]);
    inOrder(tokens.scalingDemands, ScalingDemands, [tokens.queueDemands, tokens.demandView]);
    inOrder(tokens.recentQueueFigures, RecentQueueFigures, [tokens.figuresPort]);
    byName(tokens.figuredQueues, FiguredQueues, {
      names: tokens.queueNames,
      view: tokens.queueView,
      figures: tokens.recentQueueFigures,
      blocked: tokens.blockedQueues,
      breakers: tokens.breakerPort,
      clock: tokens.clockPort,
    });
    inOrder(tokens.figures, Figures, [
      tokens.figuresPort,
      tokens.figureRecorder,
      tokens.queueView,
      tokens.clockPort,
    ]);
    inOrder(tokens.recentFailures, RecentFailures, [tokens.figuresPort, tokens.clockPort]);
    inOrder(tokens.backlogSampler, BacklogSampler, [
      tokens.queueView,
      tokens.figuresPort,
      tokens.clockPort,
      tokens.loggerPort,
    ]);
    byName(tokens.queues, Queues, {
      control: tokens.queueControlPort,
      jobs: tokens.jobControlPort,
      scan: tokens.jobScanPort,
      names: tokens.queueNames,
      view: tokens.queueView,
      standings: tokens.queueStandingPort,
      blocked: tokens.blockedQueues,
      workers: tokens.workerStorePort,
      registration: tokens.workers,
      signals: tokens.replicaSignalsPort,
      policies: tokens.policies,
      clock: tokens.clockPort,
    });
    byName(tokens.groups, Groups, {
      store: tokens.groupStorePort,
      workers: tokens.knownWorkers,
      policies: tokens.policies,
      signals: tokens.replicaSignalsPort,
      clock: tokens.clockPort,
    });
    byName(tokens.schedulers, Schedulers, {
      schedulers: tokens.schedulerPort,
      queues: tokens.queuePort,
      calendar: tokens.calendarPort,
      directory: tokens.queueDirectoryPort,
      workers: tokens.workerStorePort,
      policies: tokens.policies,
      callbacks: tokens.callbacks,
      rates: tokens.schedulerRates,
      observer: tokens.attemptObserver,
      clock: tokens.clockPort,
    });
    byName(tokens.schedulerRates, SchedulerRates, {
      schedulers: tokens.schedulerPort,
      directory: tokens.queueDirectoryPort,
      limits: tokens.requestLimits,
      calendar: tokens.calendarPort,
      clock: tokens.clockPort,
    });
    byName(
      tokens.policies,
      Policies,
      {
        store: tokens.policyStorePort,
        kept: tokens.keptPolicies,
        signals: tokens.replicaSignalsPort,
        calendar: tokens.calendarPort,
        clock: tokens.clockPort,
        logger: tokens.loggerPort,
        secrets: tokens.secretPort,
      },
      { queueName: name },
    );
    inOrder(tokens.events, Events, [tokens.eventPort, tokens.eventObserver, tokens.clockPort]);
    inOrder(tokens.audit, Audit, [
      tokens.auditStorePort,
      tokens.tokenPort,
      tokens.clockPort,
      tokens.loggerPort,
    ]);
    inOrder(tokens.issuedTokens, IssuedTokens, [
      tokens.accessTokenStorePort,
      tokens.configuredTokens,
      tokens.networkPort,
      tokens.clockPort,
      tokens.loggerPort,
    ]);
    byName(tokens.accessTokens, AccessTokens, {
      store: tokens.accessTokenStorePort,
      issued: tokens.issuedTokens,
      secrets: tokens.accessSecretPort,
      networks: tokens.networkPort,
      configured: tokens.configuredTokens,
      clock: tokens.clockPort,
    });
    bind(tokens.requestLimits).toResolvedValue(
      (quotas, clock) => new RequestLimits(quotas, clock, auth.limits),
      [tokens.quotaPort, tokens.clockPort],
    );
    byName(tokens.sessions, Sessions, {
      store: tokens.sessionStorePort,
      configured: tokens.configuredTokens,
      issued: tokens.issuedTokens,
      secrets: tokens.accessSecretPort,
      clock: tokens.clockPort,
    });
    inOrder(tokens.digests, EventDigests, [
      tokens.events,
      tokens.queueView,
      tokens.blockedQueues,
      tokens.clockPort,
    ]);
    inOrder(tokens.settingSets, SettingSets, [tokens.settingSetPort]);
    inOrder(tokens.tickets, Tickets, [tokens.ticketStore, tokens.tokenPort, tokens.clockPort]);
    inOrder(tokens.repairCodes, RepairCodes, [tokens.repairCodeStore, tokens.tokenPort]);

    bind(tokens.secretCipherPort).toResolvedValue(
      () => new AesSecretCipher(workers.encryptionKeys),
    );
    bind(tokens.workerSealing).toResolvedValue(workerSealing, [tokens.secretCipherPort]);
    bind(tokens.hookSealing).toResolvedValue(hookSealing, [tokens.secretCipherPort]);
    bind(tokens.callbackSealing).toResolvedValue(callbackSealing, [tokens.secretCipherPort]);
    bind(tokens.policySealing).toResolvedValue(policySealing, [tokens.secretCipherPort]);
    inOrder(tokens.policyStorePort, SealedPolicies, [tokens.keptPolicies, tokens.policySealing]);
    byName(
      tokens.callbacks,
      Callbacks,
      {
        policies: tokens.policies,
        sealing: tokens.callbackSealing,
        ofPolicies: tokens.policySealing,
      },
      { queueName: name },
    );
    bind(tokens.keptSecrets).toResolvedValue(
      (workers, ofWorkers, hooks, ofHooks, policies, ofPolicies) => [
        secretsOfWorkers(workers, ofWorkers),
        secretsOfHooks(hooks, ofHooks),
        secretsOfPolicies(policies, ofPolicies),
      ],
      [
        tokens.keptWorkers,
        tokens.workerSealing,
        tokens.keptHooks,
        tokens.hookSealing,
        tokens.keptPolicies,
        tokens.policySealing,
      ],
    );
    byName(tokens.encryptionKeys, EncryptionKeys, {
      cipher: tokens.secretCipherPort,
      checks: tokens.keyCheckStorePort,
      kept: tokens.keptSecrets,
      clock: tokens.clockPort,
      logger: tokens.loggerPort,
    });
    inOrder(tokens.workerStorePort, SealedWorkers, [
      tokens.keptWorkers,
      tokens.workerSealing,
      tokens.clockPort,
    ]);
    inOrder(tokens.knownWorkers, KnownWorkers, [tokens.workerStorePort, tokens.loggerPort]);
    inOrder(tokens.secrets, Secrets, [tokens.keptSecrets, tokens.secretCipherPort]);
    inOrder(tokens.hookStorePort, SealedHooks, [tokens.keptHooks, tokens.hookSealing]);
    bind(tokens.hooksInForce).toResolvedValue(
      (ofEndings, store, signals, clock, logger) => {
        const inForce = new StoredHooksInForce(store, signals, clock, logger);
        ofEndings.follow(inForce);
        return inForce;
      },
      [
        tokens.hooksOfQueues,
        tokens.hookStorePort,
        tokens.replicaSignalsPort,
        tokens.clockPort,
        tokens.loggerPort,
      ],
    );
    byName(tokens.hooks, Hooks, {
      store: tokens.hookStorePort,
      inForce: tokens.hooksInForce,
      deliveries: tokens.deliveryQueues,
      secrets: tokens.secretPort,
      clock: tokens.clockPort,
    });
    byName(
      tokens.hookTest,
      HookTest,
      {
        hooks: tokens.hooks,
        webhook: tokens.webhookPort,
        describer: tokens.callDescriberPort,
        tokens: tokens.tokenPort,
        clock: tokens.clockPort,
      },
      { publicUrl: webhook.publicUrl },
    );
    byName(
      tokens.workers,
      Workers,
      {
        store: tokens.workerStorePort,
        inForce: tokens.knownWorkers,
        signals: tokens.replicaSignalsPort,
        fleet: tokens.fleet,
        breakers: tokens.breakerPort,
        tokens: tokens.tokenPort,
        secrets: tokens.secretPort,
        clock: tokens.clockPort,
      },
      { shape: workerShape(name) },
    );
    byName(tokens.workerHealth, WorkerHealthReader, {
      store: tokens.workerStorePort,
      inForce: tokens.knownWorkers,
      breakers: tokens.breakerPort,
      directory: tokens.queueDirectoryPort,
      figures: tokens.callFiguresPort,
      standings: tokens.queueStandingPort,
      recorder: tokens.callRecorder,
      clock: tokens.clockPort,
    });
    inOrder(tokens.workerCalls, WorkerCalls, [
      tokens.figuresPort,
      tokens.figureRecorder,
      tokens.workerStorePort,
    ]);
    byName(tokens.workerTest, WorkerTest, {
      workers: tokens.workerStorePort,
      webhook: tokens.webhookPort,
      describer: tokens.callDescriberPort,
      tokens: tokens.tokenPort,
      clock: tokens.clockPort,
    });
    bind(tokens.fleet).toDynamicValue((context) => {
      const { store, known, signals, sweep, ...ports } = resolve(context, {
        store: tokens.workerStorePort,
        known: tokens.knownWorkers,
        signals: tokens.replicaSignalsPort,
        sweep: tokens.stalledSweep,
        attempts: tokens.attemptEnginePort,
        holders: tokens.attemptHolderPort,
        policies: tokens.policies,
        tokens: tokens.tokenPort,
        webhook: tokens.webhookPort,
        observer: tokens.attemptObserver,
        tracing: tokens.tracing,
        clock: tokens.clockPort,
        logger: tokens.loggerPort,
      });
      return new Fleet(store, known, signals, sweep, {
        ...ports,
        lockDuration,
        renewalInterval: renewalInterval(lockDuration, stalledInterval),
      });
    });

    bind(tokens.attemptObserver).toResolvedValue(
      (calls, figures, logger, clock) =>
        new AttemptObservers(new AttemptLog(logger, clock), calls, figures),
      [tokens.callRecorder, tokens.figureRecorder, tokens.loggerPort, tokens.clockPort],
    );
    bind(tokens.figureRecorder).toResolvedValue(
      (figures, sources, clock, logger) =>
        new FigureRecorder(figures, sources.draw(), instanceName(), clock, logger),
      [tokens.figuresPort, tokens.tokenPort, tokens.clockPort, tokens.loggerPort],
    );
    bind(tokens.callRecorder).toResolvedValue(
      (figures, jobTokens, clock, logger) =>
        new CallRecorder(figures, jobTokens.draw(), clock, logger),
      [tokens.callFiguresPort, tokens.tokenPort, tokens.clockPort, tokens.loggerPort],
    );
    byName(
      tokens.stalledSweep,
      StalledSweep,
      {
        attempts: tokens.attemptSweepPort,
        policies: tokens.policies,
        clock: tokens.clockPort,
        logger: tokens.loggerPort,
        observer: tokens.attemptObserver,
      },
      { interval: stalledInterval },
    );
    byName(tokens.visibleMessages, VisibleMessages, {
      attempts: tokens.attemptEnginePort,
      policies: tokens.policies,
      workers: tokens.knownWorkers,
      observer: tokens.attemptObserver,
      clock: tokens.clockPort,
    });
    bind(tokens.overdueSweep).toDynamicValue((context) => {
      const dependencies = resolve(context, {
        attempts: tokens.attemptEnginePort,
        holders: tokens.attemptHolderPort,
        sweeps: tokens.attemptSweepPort,
        workers: tokens.knownWorkers,
        messages: tokens.visibleMessages,
        observer: tokens.attemptObserver,
        clock: tokens.clockPort,
      });
      return new OverdueSweep(dependencies, stalledInterval);
    });
    inOrder(tokens.expirySweep, ExpirySweep, [
      tokens.expiryPort,
      tokens.attemptObserver,
      tokens.loggerPort,
    ]);
    byName(
      tokens.endedJobsSweep,
      EndedJobsSweep,
      {
        policies: tokens.policies,
        names: tokens.queueNames,
        removal: tokens.endedRemovalPort,
        logger: tokens.loggerPort,
      },
      { byDefault: queues.defaultRetention },
    );
    byName(tokens.payloadSweep, PayloadSweep, {
      policies: tokens.policies,
      names: tokens.queueNames,
      redaction: tokens.redactionPort,
      logger: tokens.loggerPort,
    });
    byName(tokens.nativeTurns, NativeTurns, {
      turns: tokens.nativeTurnPort,
      workers: tokens.knownWorkers,
      policies: tokens.policies,
      clock: tokens.clockPort,
    });
    inOrder(tokens.health, Health, [tokens.storeHealthPort, tokens.fleet]);
    const identity = { instance: instanceName(), version: version(), startedAt: Date.now() };
    byName(
      tokens.replicaReports,
      ReplicaReports,
      {
        system: tokens.systemPort,
        health: tokens.health,
        fleet: tokens.fleet,
        clock: tokens.clockPort,
      },
      { identity },
    );
    inOrder(tokens.dataWatch, DataWatch, [
      tokens.systemPort,
      tokens.queueView,
      tokens.clockPort,
      tokens.loggerPort,
    ]);
    bind(tokens.system).toResolvedValue(
      (system, names, secrets, hooks, deliveries, clock) => {
        const failing = new FailingHooks(hooks, deliveries, clock);
        return new System(identity, system, names, secrets, failing, clock, sight.queues);
      },
      [
        tokens.systemPort,
        tokens.queueNames,
        tokens.secrets,
        tokens.hooksInForce,
        tokens.deliveryQueues,
        tokens.clockPort,
      ],
    );

    inOrder(tokens.storeBackups, StoreBackups, [tokens.storeBackupPort]);

    bind(tokens.application).toDynamicValue((context) =>
      resolve(context, {
        jobs: tokens.jobs,
        awaitedAdds: tokens.awaitedAdds,
        jobCallbacks: tokens.jobCallbacks,
        attemptReports: tokens.attemptReports,
        jobClaims: tokens.jobClaims,
        receives: tokens.receives,
        messageQueues: tokens.messageQueues,
        messageSends: tokens.messageSends,
        messageReceives: tokens.messageReceives,
        messageMoves: tokens.messageMoves,
        jobActions: tokens.jobActions,
        flows: tokens.flows,
        blockedJobs: tokens.blockedJobs,
        jobResults: tokens.jobResults,
        jobSearch: tokens.jobSearch,
        groupListing: tokens.groupListing,
        failures: tokens.failures,
        recentFailures: tokens.recentFailures,
        figures: tokens.figures,
        figuredQueues: tokens.figuredQueues,
        scalingDemands: tokens.scalingDemands,
        bulkRepairs: tokens.bulkRepairs,
        redrives: tokens.redrives,
        letterOrigins: tokens.letterOrigins,
        erasures: tokens.erasures,
        queues: tokens.queues,
        groups: tokens.groups,
        events: tokens.events,
        digests: tokens.digests,
        audit: tokens.audit,
        accessTokens: tokens.accessTokens,
        issuedTokens: tokens.issuedTokens,
        sessions: tokens.sessions,
        workloadTokens: tokens.workloadTokens,
        requestLimits: tokens.requestLimits,
        tickets: tokens.tickets,
        repairCodes: tokens.repairCodes,
        workers: tokens.workers,
        workerHealth: tokens.workerHealth,
        workerCalls: tokens.workerCalls,
        workerTest: tokens.workerTest,
        secrets: tokens.secrets,
        hooks: tokens.hooks,
        hookTest: tokens.hookTest,
        policies: tokens.policies,
        schedulers: tokens.schedulers,
        settingSets: tokens.settingSets,
        health: tokens.health,
        system: tokens.system,
        storeBackups: tokens.storeBackups,
        metrics: tokens.metricsPort,
      }),
    );
  });
}
