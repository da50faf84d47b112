import { ContainerModule } from 'inversify';
import { RedisAttempts } from '../../adapters/outbound/redis/attempts/redis-attempts.ts';
import { RedisHealth } from '../../adapters/outbound/redis/connection/redis-health.ts';
import { SharedRedisConnections } from '../../adapters/outbound/redis/connection/shared-redis-connections.ts';
import { StoreCommands } from '../../adapters/outbound/redis/connection/store-commands.ts';
import { StoreErrors } from '../../adapters/outbound/redis/connection/store-errors.ts';
import { RedisJobControl } from '../../adapters/outbound/redis/control/redis-job-control.ts';
import { RedisQueueControl } from '../../adapters/outbound/redis/control/redis-queue-control.ts';
import { RedisSystem } from '../../adapters/outbound/redis/system/redis-system.ts';
import { RedisFigures } from '../../adapters/outbound/redis/figures/redis-figures.ts';
import { RedisFlows } from '../../adapters/outbound/redis/flows/redis-flows.ts';
import { RedisGroups } from '../../adapters/outbound/redis/groups/redis-groups.ts';
import { RedisNativeTurns } from '../../adapters/outbound/redis/groups/redis-native-turns.ts';
import { RedisDemand } from '../../adapters/outbound/redis/control/redis-demand.ts';
import { RedisEndedRemoval } from '../../adapters/outbound/redis/control/redis-ended-removal.ts';
import { RedisErasure } from '../../adapters/outbound/redis/control/redis-erasure.ts';
import { RedisRedaction } from '../../adapters/outbound/redis/control/redis-redaction.ts';
import { RedisExpiry } from '../../adapters/outbound/redis/expiry/redis-expiry.ts';
import { RedisHookStates } from '../../adapters/outbound/redis/hooks/redis-hook-states.ts';
import { RedisHookStore } from '../../adapters/outbound/redis/hooks/redis-hook-store.ts';
import { RedisPolicyStore } from '../../adapters/outbound/redis/policies/redis-policy-store.ts';
import { RedisJobParts } from '../../adapters/outbound/redis/jobs/redis-job-parts.ts';
import { RedisQueues } from '../../adapters/outbound/redis/jobs/redis-queues.ts';
import { QueueKeysCache } from '../../adapters/outbound/redis/layout/queue-keys-cache.ts';
import { RedisAudit } from '../../adapters/outbound/redis/audit/redis-audit.ts';
import { RedisAccessTokens } from '../../adapters/outbound/redis/access/redis-access-tokens.ts';
import { AllEventsReader } from '../../adapters/outbound/redis/events/all-events-reader.ts';
import { AllStreams } from '../../adapters/outbound/redis/events/all-streams.ts';
import { EventStreamReader } from '../../adapters/outbound/redis/events/event-stream-reader.ts';
import { KeptStreams } from '../../adapters/outbound/redis/events/kept-streams.ts';
import { RedisEvents } from '../../adapters/outbound/redis/events/redis-events.ts';
import { RedisJobEndings } from '../../adapters/outbound/redis/endings/redis-job-endings.ts';
import { RedisJobScan } from '../../adapters/outbound/redis/scan/redis-job-scan.ts';
import { RedisQueueDirectory } from '../../adapters/outbound/redis/registry/redis-queue-directory.ts';
import { NextJobs } from '../../adapters/outbound/redis/schedulers/next-jobs.ts';
import { RedisSchedulers } from '../../adapters/outbound/redis/schedulers/redis-schedulers.ts';
import { SchedulerPlans } from '../../adapters/outbound/redis/schedulers/scheduler-plans.ts';
import { SlotClock } from '../../adapters/outbound/redis/schedulers/slot-clock.ts';
import { RedisSignals } from '../../adapters/outbound/redis/signals/redis-signals.ts';
import { RedisQuotas } from '../../adapters/outbound/redis/access/redis-quotas.ts';
import { RedisSettingSets } from '../../adapters/outbound/redis/policies/redis-setting-sets.ts';
import { RedisSessions } from '../../adapters/outbound/redis/access/redis-sessions.ts';
import { RedisOneTimeStore } from '../../adapters/outbound/redis/access/redis-one-time-store.ts';
import { MarkerWatch } from '../../adapters/outbound/redis/wakeups/marker-watch.ts';
import { RedisQueueStandings } from '../../adapters/outbound/redis/control/redis-queue-standings.ts';
import { RedisBreaker } from '../../adapters/outbound/redis/control/redis-breaker.ts';
import { RedisCallFigures } from '../../adapters/outbound/redis/workers/redis-call-figures.ts';
import { RedisKeyChecks } from '../../adapters/outbound/redis/workers/redis-key-checks.ts';
import { RedisWorkerStore } from '../../adapters/outbound/redis/workers/redis-worker-store.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import { workerShape } from '../../domain/workers/worker.ts';
import type { Config, RedisStoreConfig } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import { token, tokens } from './tokens.ts';
import { Wiring } from './wiring.ts';

const connections = token<SharedRedisConnections>('redis connections');
const commands = token<StoreCommands>('store commands');
const keysCache = token<QueueKeysCache>('keys of queues');
const keptStreams = token<KeptStreams>('kept streams');
const eventReader = token<EventStreamReader>('event reader');
const schedulerPlans = token<SchedulerPlans>('scheduler plans');
const nextJobsToken = token<NextJobs>('next jobs');
const redisAttempts = token<RedisAttempts>('redis attempts');

/** What to do when no store answers at the address that is set. */
const WITHOUT_STORE =
  'Start Redis or Valkey there, or set STORE_URI to the address of one. STORE=embedded needs neither: it keeps the jobs in a folder';

/** STORE=redis: queues and workers in a Redis-compatible store, shared with other processes. */
export function redisStoreModule(config: Config, store: RedisStoreConfig): ContainerModule {
  const { prefix, nameLimits, cacheSize, eventsKept } = config.queues;
  const { metadataKey, stalledInterval } = config.workers;
  const name = queueName(nameLimits);
  const shape = workerShape(name);
  return new ContainerModule(({ bind }) => {
    const { inOrder } = new Wiring(bind);
    bind(connections).toResolvedValue(
      (logger, clock) => new SharedRedisConnections(store, logger, clock, WITHOUT_STORE),
      [tokens.loggerPort, tokens.clockPort],
    );
    bind(tokens.store).toService(connections);
    bind(commands).toResolvedValue(
      (connections, logger, clock) =>
        new StoreCommands(
          connections.commands,
          new StoreErrors(logger, clock, connections),
          eventsKept,
          logger,
        ),
      [connections, tokens.loggerPort, tokens.clockPort],
    );
    bind(keysCache).toResolvedValue(() => new QueueKeysCache(prefix, cacheSize));
    inOrder(tokens.queuePort, RedisQueues, [
      commands,
      keysCache,
      tokens.clockPort,
      tokens.hooksOfQueues,
    ]);
    bind(tokens.movingQueuePort).toService(tokens.queuePort);
    inOrder(tokens.queueControlPort, RedisQueueControl, [commands, keysCache, tokens.clockPort]);
    bind(schedulerPlans).toResolvedValue(
      (commands, keys, clock) =>
        new SchedulerPlans(commands, keys, new SlotClock(commands.time, clock)),
      [commands, keysCache, tokens.clockPort],
    );
    inOrder(nextJobsToken, NextJobs, [
      schedulerPlans,
      commands,
      keysCache,
      tokens.calendarPort,
      tokens.loggerPort,
    ]);
    inOrder(tokens.schedulerPort, RedisSchedulers, [
      schedulerPlans,
      commands,
      keysCache,
      tokens.calendarPort,
    ]);
    bind(tokens.queueDirectoryPort).toResolvedValue(
      (commands) => new RedisQueueDirectory(commands, prefix, name),
      [commands],
    );
    bind(redisAttempts).toResolvedValue(
      (connections, commands, keys, nextJobs, clock, logger, hooks) => {
        const markers = new MarkerWatch(connections, prefix, logger);
        const grace = stalledGrace(stalledInterval);
        const replica = instanceName();
        return new RedisAttempts(commands, keys, markers, nextJobs, clock, grace, replica, hooks);
      },
      [
        connections,
        commands,
        keysCache,
        nextJobsToken,
        tokens.clockPort,
        tokens.loggerPort,
        tokens.hooksOfQueues,
      ],
    );
    bind(tokens.attemptEnginePort).toResolvedValue((attempts) => attempts, [redisAttempts]);
    bind(tokens.attemptHolderPort).toResolvedValue((attempts) => attempts, [redisAttempts]);
    bind(tokens.attemptSweepPort).toResolvedValue((attempts) => attempts, [redisAttempts]);
    bind(tokens.expiryPort).toResolvedValue(
      (commands, keys, clock, hooks) => new RedisExpiry(commands, keys, prefix, clock, hooks),
      [commands, keysCache, tokens.clockPort, tokens.hooksOfQueues],
    );
    bind(tokens.endedRemovalPort).toResolvedValue(
      (commands, clock) => new RedisEndedRemoval(commands, prefix, clock),
      [commands, tokens.clockPort],
    );
    bind(tokens.redactionPort).toResolvedValue(
      (commands, keys, clock) => new RedisRedaction(commands, keys, prefix, clock),
      [commands, keysCache, tokens.clockPort],
    );
    inOrder(tokens.erasurePort, RedisErasure, [commands, keysCache, tokens.clockPort]);
    inOrder(tokens.flowPort, RedisFlows, [commands, keysCache, tokens.clockPort]);
    inOrder(tokens.jobControlPort, RedisJobControl, [
      commands,
      keysCache,
      nextJobsToken,
      tokens.clockPort,
      tokens.hooksOfQueues,
    ]);
    inOrder(keptStreams, KeptStreams, [commands, keysCache]);
    bind(eventReader).toResolvedValue(
      (connections, kept, keys, logger) =>
        new EventStreamReader(connections, kept, keys, prefix, logger),
      [connections, keptStreams, keysCache, tokens.loggerPort],
    );
    bind(tokens.eventPort).toResolvedValue(
      (reader, kept, commands, logger, clock) => {
        const all = new AllStreams(commands, prefix);
        return new RedisEvents(reader, kept, all, new AllEventsReader(all, logger), clock);
      },
      [eventReader, keptStreams, commands, tokens.loggerPort, tokens.clockPort],
    );
    bind(tokens.ticketStore).toResolvedValue(
      (commands) => new RedisOneTimeStore(commands, prefix, 'ticket'),
      [commands],
    );
    bind(tokens.repairCodeStore).toResolvedValue(
      (commands) => new RedisOneTimeStore(commands, prefix, 'repair-code'),
      [commands],
    );
    inOrder(tokens.jobEndingsPort, RedisJobEndings, [eventReader]);
    inOrder(tokens.jobScanPort, RedisJobScan, [commands, keysCache]);
    inOrder(tokens.jobPartPort, RedisJobParts, [commands, keysCache]);
    bind(tokens.auditStorePort).toResolvedValue(
      (commands) => new RedisAudit(commands, prefix, config.audit.kept),
      [commands],
    );
    bind(tokens.accessTokenStorePort).toResolvedValue(
      (commands) => new RedisAccessTokens(commands, prefix),
      [commands],
    );
    bind(tokens.quotaPort).toResolvedValue(
      (commands) => new RedisQuotas(commands, prefix),
      [commands],
    );
    bind(tokens.sessionStorePort).toResolvedValue(
      (commands) => new RedisSessions(commands, prefix),
      [commands],
    );
    bind(tokens.settingSetPort).toResolvedValue(
      (commands) => new RedisSettingSets(commands, prefix),
      [commands],
    );
    bind(tokens.keptPolicies).toResolvedValue(
      (commands, keys) => new RedisPolicyStore(commands, keys, prefix),
      [commands, keysCache],
    );
    inOrder(tokens.breakerPort, RedisBreaker, [commands, keysCache]);
    inOrder(tokens.groupStorePort, RedisGroups, [commands, keysCache]);
    bind(tokens.nativeTurnPort).toResolvedValue(
      (commands, keys, clock) => new RedisNativeTurns(commands, keys, prefix, clock),
      [commands, keysCache, tokens.clockPort],
    );
    inOrder(tokens.queueStandingPort, RedisQueueStandings, [commands, keysCache, tokens.clockPort]);
    bind(tokens.demandPort).toResolvedValue(
      (commands, clock) => new RedisDemand(commands, prefix, clock),
      [commands, tokens.clockPort],
    );
    inOrder(tokens.callFiguresPort, RedisCallFigures, [commands, keysCache]);
    bind(tokens.systemPort).toResolvedValue(
      (commands) => new RedisSystem(commands, prefix),
      [commands],
    );
    bind(tokens.figuresPort).toResolvedValue(
      (commands) => new RedisFigures(commands, prefix),
      [commands],
    );
    bind(tokens.keptWorkers).toResolvedValue(
      (commands) => new RedisWorkerStore(commands, metadataKey, shape),
      [commands],
    );
    bind(tokens.keptHooks).toResolvedValue(
      (commands) => new RedisHookStore(commands, prefix),
      [commands],
    );
    bind(tokens.hookStatePort).toResolvedValue(
      (commands) => new RedisHookStates(commands, prefix),
      [commands],
    );
    bind(tokens.keyCheckStorePort).toResolvedValue(
      (commands) => new RedisKeyChecks(commands, prefix),
      [commands],
    );
    bind(tokens.replicaSignalsPort).toResolvedValue(
      (connections, logger) => new RedisSignals(connections, `${metadataKey}:changed`, logger),
      [connections, tokens.loggerPort],
    );
    bind(tokens.storeBackupPort).toResolvedValue(() => undefined);
    bind(tokens.storeFolder).toResolvedValue(() => undefined);
    bind(tokens.storeHealthPort).toResolvedValue(
      ({ scripts }) => new RedisHealth(scripts, prefix),
      [commands],
    );
  });
}
