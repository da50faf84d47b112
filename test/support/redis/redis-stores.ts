import { hooksOfTests } from '../hooks-of-tests.ts';
import { once } from 'node:events';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type {
  RedisClient,
  RedisConnections,
} from '../../../src/adapters/outbound/redis/connection/redis-client.ts';
import { RedisHealth } from '../../../src/adapters/outbound/redis/connection/redis-health.ts';
import { StoreCommands } from '../../../src/adapters/outbound/redis/connection/store-commands.ts';
import { StoreErrors } from '../../../src/adapters/outbound/redis/connection/store-errors.ts';
import type { StoreOutage } from '../../../src/adapters/outbound/redis/connection/store-outage.ts';
import type { StoreTime } from '../../../src/adapters/outbound/redis/connection/store-time.ts';
import { MarkerWatch } from '../../../src/adapters/outbound/redis/wakeups/marker-watch.ts';
import { NextJobs } from '../../../src/adapters/outbound/redis/schedulers/next-jobs.ts';
import { SlotClock } from '../../../src/adapters/outbound/redis/schedulers/slot-clock.ts';
import { SchedulerPlans } from '../../../src/adapters/outbound/redis/schedulers/scheduler-plans.ts';
import { CronCalendar } from '../../../src/adapters/outbound/cron/cron-calendar.ts';
import { RedisSchedulers } from '../../../src/adapters/outbound/redis/schedulers/redis-schedulers.ts';
import { QueueKeysCache } from '../../../src/adapters/outbound/redis/layout/queue-keys-cache.ts';
import { RedisAttempts } from '../../../src/adapters/outbound/redis/attempts/redis-attempts.ts';
import { RedisEndedRemoval } from '../../../src/adapters/outbound/redis/control/redis-ended-removal.ts';
import { RedisSharedWork } from '../../../src/adapters/outbound/redis/control/redis-shared-work.ts';
import { redisCollections } from '../../../src/adapters/outbound/redis/kept/redis-collections.ts';
import type { StorePorts } from '../../../src/application/store-ports.ts';
import type { CollectionPorts } from '../../../src/application/kept/collections.ts';
import { workerShape } from '../../../src/domain/workers/worker.ts';
import { RedisErasure } from '../../../src/adapters/outbound/redis/control/redis-erasure.ts';
import { RedisRedaction } from '../../../src/adapters/outbound/redis/control/redis-redaction.ts';
import { RedisExpiry } from '../../../src/adapters/outbound/redis/expiry/redis-expiry.ts';
import { RedisLimitUse } from '../../../src/adapters/outbound/redis/control/redis-limit-use.ts';
import { RedisDemand } from '../../../src/adapters/outbound/redis/control/redis-demand.ts';
import { RedisQueueStandings } from '../../../src/adapters/outbound/redis/control/redis-queue-standings.ts';
import { RedisBreaker } from '../../../src/adapters/outbound/redis/control/redis-breaker.ts';
import { RedisCallFigures } from '../../../src/adapters/outbound/redis/workers/redis-call-figures.ts';
import { RedisAudit } from '../../../src/adapters/outbound/redis/audit/redis-audit.ts';
import { RedisTokenUses } from '../../../src/adapters/outbound/redis/access/redis-token-uses.ts';
import { RedisQuotas } from '../../../src/adapters/outbound/redis/access/redis-quotas.ts';
import { RedisSettingSets } from '../../../src/adapters/outbound/redis/policies/redis-setting-sets.ts';
import { RedisSessions } from '../../../src/adapters/outbound/redis/access/redis-sessions.ts';
import { RedisSystem } from '../../../src/adapters/outbound/redis/system/redis-system.ts';
import { RedisFigures } from '../../../src/adapters/outbound/redis/figures/redis-figures.ts';
import { RedisGroups } from '../../../src/adapters/outbound/redis/groups/redis-groups.ts';
import { RedisNativeTurns } from '../../../src/adapters/outbound/redis/groups/redis-native-turns.ts';
import { RedisJobSignals } from '../../../src/adapters/outbound/redis/steps/redis-job-signals.ts';
import { RedisSteps } from '../../../src/adapters/outbound/redis/steps/redis-steps.ts';
import { StepsErasure } from '../../../src/adapters/outbound/redis/control/steps-erasure.ts';
import { RedisFlows } from '../../../src/adapters/outbound/redis/flows/redis-flows.ts';
import { RedisTopics } from '../../../src/adapters/outbound/redis/flows/redis-topics.ts';
import { RedisJobControl } from '../../../src/adapters/outbound/redis/control/redis-job-control.ts';
import { RedisQueueControl } from '../../../src/adapters/outbound/redis/control/redis-queue-control.ts';
import { AllEventsReader } from '../../../src/adapters/outbound/redis/events/all-events-reader.ts';
import { AllStreams } from '../../../src/adapters/outbound/redis/events/all-streams.ts';
import { EventStreamReader } from '../../../src/adapters/outbound/redis/events/event-stream-reader.ts';
import { KeptStreams } from '../../../src/adapters/outbound/redis/events/kept-streams.ts';
import { RedisEvents } from '../../../src/adapters/outbound/redis/events/redis-events.ts';
import { RedisOneTimeStore } from '../../../src/adapters/outbound/redis/access/redis-one-time-store.ts';
import { RedisJobEndings } from '../../../src/adapters/outbound/redis/endings/redis-job-endings.ts';
import { RedisJobParts } from '../../../src/adapters/outbound/redis/jobs/redis-job-parts.ts';
import { RedisJobScan } from '../../../src/adapters/outbound/redis/scan/redis-job-scan.ts';
import { RedisQueueDirectory } from '../../../src/adapters/outbound/redis/registry/redis-queue-directory.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { RedisQueues } from '../../../src/adapters/outbound/redis/jobs/redis-queues.ts';
import type { ClockPort } from '../../../src/application/ports/clock-port.ts';
import type { LoggerPort } from '../../../src/application/ports/logger-port.ts';
import { AnswerWatch } from '../../../src/adapters/outbound/redis/connection/answer-watch.ts';
import {
  blockingOptions,
  commandOptions,
  subscriberOptions,
} from '../../../src/adapters/outbound/redis/connection/redis-options.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { silentLogger } from '../silent-logger.ts';
import { guardSharedStore } from './shared-store-guard.ts';
import { storeSession } from './store-session.ts';

/** Connections as the service makes them, to a store of a test. */
export class TestConnections<Client extends RedisClient = RedisClient> implements RedisConnections {
  readonly commands: Client;
  readonly #connect: (options: RedisOptions) => Client;
  readonly #clients: Client[] = [];
  readonly #answers = new AnswerWatch();

  private constructor(connect: (options: RedisOptions) => Client) {
    this.#connect = connect;
    this.commands = this.#open(commandOptions);
  }

  /** Connections to the store that all tests share refuse what changes it for the others. */
  static open(uri: string): Promise<TestConnections<Redis>> {
    const isShared = storeSession.isAt(uri);
    return TestConnections.#ready((options) => {
      const client = new Redis(uri, options);
      if (isShared) guardSharedStore(client);
      return client;
    });
  }

  /** @param addresses `host:port` of the nodes. */
  static openCluster(addresses: readonly string[]): Promise<TestConnections<Cluster>> {
    const nodes = addresses.map((address) => {
      const [host = '', port] = address.split(':');
      return { host, port: Number(port) };
    });
    return TestConnections.#ready((redisOptions) => new Cluster(nodes, { redisOptions }));
  }

  static async #ready<Client extends RedisClient>(
    connect: (options: RedisOptions) => Client,
  ): Promise<TestConnections<Client>> {
    const connections = new TestConnections(connect);
    await once(connections.commands, 'ready');
    return connections;
  }

  blocking(): Client {
    return this.#open(blockingOptions);
  }

  subscriber(): Client {
    return this.#open(subscriberOptions);
  }

  close(): void {
    for (const client of this.#clients) client.disconnect();
  }

  #open(options: RedisOptions): Client {
    const client = this.#connect(options);
    client.on('error', () => undefined);
    this.#answers.watch(client, options === blockingOptions);
    this.#clients.push(client);
    return client;
  }
}

/** The connections of tests wait for no connection that was lost. */
const NO_OUTAGE: StoreOutage = { causeOfOutage: undefined, returning: () => undefined };

/** What turns errors of the store into the domain's, for adapters whose log no test reads. */
export function silentErrors(): StoreErrors {
  return new StoreErrors(silentLogger, new SystemClock(), NO_OUTAGE);
}

/** The name of a replica in tests. */
export const REPLICA = 'host:1';

/** How many events a queue keeps in tests that are about something else: as many as BullMQ does by itself. */
export const EVENTS_KEPT = 10_000;

/** The store adapters of one replica. */
export interface RedisReplica extends CollectionPorts, Pick<StorePorts, 'accessTokens'> {
  readonly queues: RedisQueues;
  readonly attempts: RedisAttempts;
  readonly steps: RedisSteps;
  readonly jobSignals: RedisJobSignals;
  readonly flows: RedisFlows;
  readonly topics: RedisTopics;
  readonly groups: RedisGroups;
  readonly nativeTurns: RedisNativeTurns;
  readonly jobControl: RedisJobControl;
  readonly queueControl: RedisQueueControl;
  readonly jobEndings: RedisJobEndings;
  readonly jobScan: RedisJobScan;
  readonly jobParts: RedisJobParts;
  readonly events: RedisEvents;
  readonly oneTime: RedisOneTimeStore<unknown>;
  readonly queueDirectory: RedisQueueDirectory;
  readonly expiry: RedisExpiry;
  readonly endedRemoval: RedisEndedRemoval;
  readonly redaction: RedisRedaction;
  readonly erasure: RedisErasure;
  readonly tokenUses: RedisTokenUses;
  readonly sessions: RedisSessions;
  readonly settingSets: RedisSettingSets;
  readonly quotas: RedisQuotas;
  readonly sharedWork: RedisSharedWork;
  readonly audit: RedisAudit;
  readonly schedulers: RedisSchedulers;
  readonly callFigures: RedisCallFigures;
  readonly figures: RedisFigures;
  readonly system: RedisSystem;
  readonly breakers: RedisBreaker;
  readonly queueStandings: RedisQueueStandings;
  readonly demand: RedisDemand;
  readonly limitUse: RedisLimitUse;
  readonly storeHealth: RedisHealth;
  readonly time: StoreTime;
}

export function redisReplica(
  connections: RedisConnections,
  {
    prefix = 'bull',
    clock = new SystemClock(),
    storeTime,
    logger = silentLogger,
    stalledGrace = 10,
    eventsKept = EVENTS_KEPT,
    outage = NO_OUTAGE,
  }: {
    prefix?: string;
    clock?: ClockPort;
    /** By which schedulers go; that of the store unless the time is in the test's hand. */
    storeTime?: Pick<StoreTime, 'in'>;
    logger?: LoggerPort;
    stalledGrace?: number;
    eventsKept?: number;
    outage?: StoreOutage;
  } = {},
): RedisReplica {
  const errors = new StoreErrors(logger, clock, outage);
  const keys = new QueueKeysCache(prefix, 100);
  const name = queueName({ min: 3, max: 100 });
  const commands = new StoreCommands(connections.commands, errors, eventsKept, logger, keys);
  const markers = new MarkerWatch(connections, prefix, logger);
  const calendar = new CronCalendar();
  const slotClock = new SlotClock(storeTime ?? commands.time, clock);
  const plans = new SchedulerPlans(commands, slotClock);
  const nextJobs = new NextJobs(plans, commands, calendar, logger);
  const kept = new KeptStreams(commands);
  const all = new AllStreams(commands);
  const reader = new EventStreamReader(connections, commands, kept, logger);
  const steps = new RedisSteps(commands, clock, REPLICA);
  return {
    queues: new RedisQueues(commands, clock, hooksOfTests),
    attempts: new RedisAttempts(
      commands,
      markers,
      nextJobs,
      clock,
      stalledGrace,
      REPLICA,
      hooksOfTests,
    ),
    steps,
    jobSignals: new RedisJobSignals(commands, clock),
    flows: new RedisFlows(commands, clock),
    topics: new RedisTopics(commands, clock),
    groups: new RedisGroups(commands),
    nativeTurns: new RedisNativeTurns(commands, clock),
    jobControl: new RedisJobControl(commands, nextJobs, clock, hooksOfTests),
    jobEndings: new RedisJobEndings(reader),
    events: new RedisEvents(reader, kept, all, new AllEventsReader(all, logger), clock),
    oneTime: new RedisOneTimeStore(commands, prefix, 'ticket'),
    jobScan: new RedisJobScan(commands),
    jobParts: new RedisJobParts(commands),
    queueControl: new RedisQueueControl(commands, clock),
    queueDirectory: new RedisQueueDirectory(commands, name),
    expiry: new RedisExpiry(commands, clock, hooksOfTests),
    endedRemoval: new RedisEndedRemoval(commands, clock),
    redaction: new RedisRedaction(commands, clock),
    erasure: new RedisErasure(commands, clock, new StepsErasure(commands, steps)),
    ...redisCollections(commands, keys, { key: `${prefix}:workers`, shape: workerShape(name) }),
    tokenUses: new RedisTokenUses(commands, prefix),
    settingSets: new RedisSettingSets(commands, prefix),
    sessions: new RedisSessions(commands, prefix),
    sharedWork: new RedisSharedWork(commands),
    quotas: new RedisQuotas(commands, prefix),
    audit: new RedisAudit(commands, prefix, 10),
    schedulers: new RedisSchedulers(plans, commands, calendar),
    callFigures: new RedisCallFigures(commands),
    figures: new RedisFigures(commands),
    system: new RedisSystem(commands),
    breakers: new RedisBreaker(commands),
    queueStandings: new RedisQueueStandings(commands, clock),
    demand: new RedisDemand(commands, clock),
    limitUse: new RedisLimitUse(commands, clock),
    storeHealth: new RedisHealth(commands.scripts, prefix),
    time: commands.time,
  };
}
