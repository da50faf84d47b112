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
import { RedisTopics } from '../../adapters/outbound/redis/flows/redis-topics.ts';
import { RedisGroups } from '../../adapters/outbound/redis/groups/redis-groups.ts';
import { RedisNativeTurns } from '../../adapters/outbound/redis/groups/redis-native-turns.ts';
import { RedisLimitUse } from '../../adapters/outbound/redis/control/redis-limit-use.ts';
import { RedisDemand } from '../../adapters/outbound/redis/control/redis-demand.ts';
import { RedisEndedRemoval } from '../../adapters/outbound/redis/control/redis-ended-removal.ts';
import { RedisSharedWork } from '../../adapters/outbound/redis/control/redis-shared-work.ts';
import { redisCollections } from '../../adapters/outbound/redis/kept/redis-collections.ts';
import { RedisErasure } from '../../adapters/outbound/redis/control/redis-erasure.ts';
import { RedisRedaction } from '../../adapters/outbound/redis/control/redis-redaction.ts';
import { RedisExpiry } from '../../adapters/outbound/redis/expiry/redis-expiry.ts';
import { RedisJobParts } from '../../adapters/outbound/redis/jobs/redis-job-parts.ts';
import { RedisQueues } from '../../adapters/outbound/redis/jobs/redis-queues.ts';
import { QueueKeysCache } from '../../adapters/outbound/redis/layout/queue-keys-cache.ts';
import { RedisAudit } from '../../adapters/outbound/redis/audit/redis-audit.ts';
import { RedisTokenUses } from '../../adapters/outbound/redis/access/redis-token-uses.ts';
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
import { RedisJobSignals } from '../../adapters/outbound/redis/steps/redis-job-signals.ts';
import { RedisSteps } from '../../adapters/outbound/redis/steps/redis-steps.ts';
import { StepsErasure } from '../../adapters/outbound/redis/control/steps-erasure.ts';
import { RedisSignals } from '../../adapters/outbound/redis/signals/redis-signals.ts';
import { RedisQuotas } from '../../adapters/outbound/redis/access/redis-quotas.ts';
import { RedisSettingSets } from '../../adapters/outbound/redis/policies/redis-setting-sets.ts';
import { RedisSessions } from '../../adapters/outbound/redis/access/redis-sessions.ts';
import { RedisOneTimeStore } from '../../adapters/outbound/redis/access/redis-one-time-store.ts';
import { MarkerWatch } from '../../adapters/outbound/redis/wakeups/marker-watch.ts';
import { RedisQueueStandings } from '../../adapters/outbound/redis/control/redis-queue-standings.ts';
import { RedisBreaker } from '../../adapters/outbound/redis/control/redis-breaker.ts';
import { RedisCallFigures } from '../../adapters/outbound/redis/workers/redis-call-figures.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import { workerShape } from '../../domain/workers/worker.ts';
import type { Config, RedisStoreConfig } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import type { MakeStore } from './store-module.ts';

/** What to do when no store answers at the address that is set. */
const WITHOUT_STORE =
  'Start Redis or Valkey there, or set STORE_URI to the address of one. STORE=embedded needs neither: it keeps the jobs in a folder';

/** STORE=redis: queues and workers in a Redis-compatible store, shared with other processes. */
export function redisStore(
  { audit, queues: { prefix, cacheSize, eventsKept, nameLimits }, workers }: Config,
  settings: RedisStoreConfig,
  logger: LoggerPort,
): MakeStore {
  return (clock, calendar, hooks) => {
    const keys = new QueueKeysCache(prefix, cacheSize);
    const connections = new SharedRedisConnections(settings, logger, clock, WITHOUT_STORE);
    const errors = new StoreErrors(logger, clock, connections.outage);
    const commands = new StoreCommands(connections.commands, errors, eventsKept, logger, keys);
    const name = queueName(nameLimits);
    const plans = new SchedulerPlans(commands, new SlotClock(commands.time, clock));
    const nextJobs = new NextJobs(plans, commands, calendar, logger);
    const kept = new KeptStreams(commands);
    const reader = new EventStreamReader(connections, commands, kept, logger);
    const all = new AllStreams(commands);
    const queues = new RedisQueues(commands, clock, hooks);
    const steps = new RedisSteps(commands, clock, instanceName());
    return {
      queues,
      movingQueues: queues,
      queueControl: new RedisQueueControl(commands, clock),
      queueDirectory: new RedisQueueDirectory(commands, name),
      queueStandings: new RedisQueueStandings(commands, clock),
      demand: new RedisDemand(commands, clock),
      limitUse: new RedisLimitUse(commands, clock),
      attempts: new RedisAttempts(
        commands,
        new MarkerWatch(connections, prefix, logger),
        nextJobs,
        clock,
        stalledGrace(workers.stalledInterval),
        instanceName(),
        hooks,
      ),
      steps,
      jobSignals: new RedisJobSignals(commands, clock),
      flows: new RedisFlows(commands, clock),
      topics: new RedisTopics(commands, clock),
      groups: new RedisGroups(commands),
      nativeTurns: new RedisNativeTurns(commands, clock),
      jobControl: new RedisJobControl(commands, nextJobs, clock, hooks),
      jobEndings: new RedisJobEndings(reader),
      jobScan: new RedisJobScan(commands),
      jobParts: new RedisJobParts(commands),
      events: new RedisEvents(reader, kept, all, new AllEventsReader(all, logger), clock),
      breakers: new RedisBreaker(commands),
      expiry: new RedisExpiry(commands, clock, hooks),
      endedRemoval: new RedisEndedRemoval(commands, clock),
      redaction: new RedisRedaction(commands, clock),
      erasure: new RedisErasure(commands, clock, new StepsErasure(commands, steps)),
      callFigures: new RedisCallFigures(commands),
      figures: new RedisFigures(commands),
      schedulers: new RedisSchedulers(plans, commands, calendar),
      ...redisCollections(commands, keys, { key: workers.metadataKey, shape: workerShape(name) }),
      tokenUses: new RedisTokenUses(commands, prefix),
      sessions: new RedisSessions(commands, prefix),
      settingSets: new RedisSettingSets(commands, prefix),
      audit: new RedisAudit(commands, prefix, audit.kept),
      quotas: new RedisQuotas(commands, prefix),
      tickets: new RedisOneTimeStore(commands, prefix, 'ticket'),
      repairCodes: new RedisOneTimeStore(commands, prefix, 'repair-code'),
      signInTries: new RedisOneTimeStore(commands, prefix, 'sign-in-try'),
      sharedWork: new RedisSharedWork(commands),
      system: new RedisSystem(commands),
      store: connections,
      signals: new RedisSignals(connections, `${workers.metadataKey}:changed`, logger),
      storeHealth: new RedisHealth(commands.scripts, prefix),
    };
  };
}
