import { ContainerModule } from 'inversify';
import { PostgresDatabase } from '../../adapters/outbound/postgres/driver/postgres-database.ts';
import {
  hostOf,
  WatchedDatabase,
} from '../../adapters/outbound/postgres/driver/watched-database.ts';
import {
  postgresReplica,
  type PostgresReplica,
} from '../../adapters/outbound/postgres/postgres-replica.ts';
import { MAX_DEPTH, MAX_VALUES } from '../../adapters/inbound/http/messages/json-inspection.ts';
import { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import { MemoryNativeTurns } from '../../adapters/outbound/memory/ports/memory-native-turns.ts';
import { publishChecks } from '../../adapters/outbound/postgres/inbox/add-checks.ts';
import { migrate } from '../../adapters/outbound/postgres/schema/migrate.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import { MOST_WORKERS } from '../../domain/workers/worker.ts';
import type { Config, PostgresStoreConfig } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import { endProcess } from './end-process.ts';
import { token, tokens } from './tokens.ts';

const replica = token<PostgresReplica>('replica on PostgreSQL');

/** STORE=postgres: queues and workers in a schema of a PostgreSQL database, shared with other replicas. */
export function postgresStoreModule(
  { http, queues, workers, audit }: Config,
  { uri, directUri, schema, pool }: PostgresStoreConfig,
  logger: LoggerPort,
): ContainerModule {
  const instance = instanceName();
  const applicationName = `jobgate ${instance}`;
  const connections = new PostgresDatabase({ uri, directUri, pool, applicationName });
  const database = new WatchedDatabase(connections, hostOf(uri), logger);
  const { maxJobsPerAdd: jobs, nameLimits, prefix } = queues;
  const addLimits = {
    queueName: queueName(nameLimits),
    prefix,
    most: { jobs, bytes: http.maxBodySize, values: MAX_VALUES, levels: MAX_DEPTH },
  };
  const settings = {
    room: new MemoryRoom(new ProcessHeap(), logger),
    database,
    schema,
    instance,
    most: { auditEntries: audit.kept, workers: MOST_WORKERS },
    queues: {
      stalledGrace: stalledGrace(workers.stalledInterval),
      eventsKept: queues.eventsKept,
      prefix: queues.prefix,
      replica: instance,
    },
    failed: endProcess(logger, 'The store cannot go on: start again, which reads all of it'),
    prepare: async (): Promise<void> => {
      for (const { number, name } of await migrate(database, schema)) {
        logger.info('Migrated the schema', { schema, number, name });
      }
      await publishChecks(database, schema, addLimits);
    },
  };
  return new ContainerModule(({ bind }) => {
    bind(replica).toResolvedValue(
      (clock, calendar, hooks) => {
        const queues = { ...settings.queues, hooksOf: (queue: QueueName) => hooks.of(queue) };
        return postgresReplica({ ...settings, queues }, clock, calendar, logger);
      },
      [tokens.clockPort, tokens.calendarPort, tokens.hooksOfQueues],
    );
    bind(tokens.store).toResolvedValue(({ store }) => store, [replica]);
    bind(tokens.storeHealthPort).toResolvedValue(({ storeHealth }) => storeHealth, [replica]);
    bind(tokens.replicaSignalsPort).toResolvedValue(({ signals }) => signals, [replica]);
    bind(tokens.queuePort).toResolvedValue((ports) => ports.queues, [replica]);
    bind(tokens.movingQueuePort).toResolvedValue((ports) => ports.movingQueues, [replica]);
    bind(tokens.queueControlPort).toResolvedValue((ports) => ports.queueControl, [replica]);
    bind(tokens.queueDirectoryPort).toResolvedValue((ports) => ports.queueDirectory, [replica]);
    bind(tokens.queueStandingPort).toResolvedValue((ports) => ports.queueStandings, [replica]);
    bind(tokens.demandPort).toResolvedValue((ports) => ports.demand, [replica]);
    bind(tokens.attemptEnginePort).toResolvedValue((ports) => ports.attempts, [replica]);
    bind(tokens.attemptHolderPort).toResolvedValue((ports) => ports.attempts, [replica]);
    bind(tokens.attemptSweepPort).toResolvedValue((ports) => ports.attempts, [replica]);
    bind(tokens.breakerPort).toResolvedValue((ports) => ports.breakers, [replica]);
    bind(tokens.groupStorePort).toResolvedValue((ports) => ports.groups, [replica]);
    bind(tokens.callFiguresPort).toResolvedValue((ports) => ports.callFigures, [replica]);
    bind(tokens.figuresPort).toResolvedValue((ports) => ports.figures, [replica]);
    bind(tokens.endedRemovalPort).toResolvedValue((ports) => ports.endedRemoval, [replica]);
    bind(tokens.redactionPort).toResolvedValue((ports) => ports.redaction, [replica]);
    bind(tokens.erasurePort).toResolvedValue((ports) => ports.erasure, [replica]);
    bind(tokens.expiryPort).toResolvedValue((ports) => ports.expiry, [replica]);
    bind(tokens.flowPort).toResolvedValue((ports) => ports.flows, [replica]);
    bind(tokens.jobControlPort).toResolvedValue((ports) => ports.jobControl, [replica]);
    bind(tokens.jobEndingsPort).toResolvedValue((ports) => ports.jobEndings, [replica]);
    bind(tokens.jobScanPort).toResolvedValue((ports) => ports.jobScan, [replica]);
    bind(tokens.jobPartPort).toResolvedValue((ports) => ports.jobParts, [replica]);
    bind(tokens.eventPort).toResolvedValue((ports) => ports.events, [replica]);
    bind(tokens.ticketStore).toResolvedValue((ports) => ports.tickets, [replica]);
    bind(tokens.repairCodeStore).toResolvedValue((ports) => ports.repairCodes, [replica]);
    bind(tokens.keptWorkers).toResolvedValue((ports) => ports.workers, [replica]);
    bind(tokens.keyCheckStorePort).toResolvedValue((ports) => ports.keyChecks, [replica]);
    bind(tokens.auditStorePort).toResolvedValue((ports) => ports.audit, [replica]);
    bind(tokens.accessTokenStorePort).toResolvedValue((ports) => ports.accessTokens, [replica]);
    bind(tokens.sessionStorePort).toResolvedValue((ports) => ports.sessions, [replica]);
    bind(tokens.settingSetPort).toResolvedValue((ports) => ports.settingSets, [replica]);
    bind(tokens.quotaPort).toResolvedValue((ports) => ports.quotas, [replica]);
    bind(tokens.keptPolicies).toResolvedValue((ports) => ports.policies, [replica]);
    bind(tokens.keptHooks).toResolvedValue((ports) => ports.hooks, [replica]);
    bind(tokens.hookStatePort).toResolvedValue((ports) => ports.hookStates, [replica]);
    bind(tokens.schedulerPort).toResolvedValue((ports) => ports.schedulers, [replica]);
    bind(tokens.systemPort).toResolvedValue((ports) => ports.system, [replica]);
    bind(tokens.nativeTurnPort).toConstantValue(new MemoryNativeTurns());
    bind(tokens.storeBackupPort).toResolvedValue(() => undefined);
    bind(tokens.storeFolder).toResolvedValue(() => undefined);
  });
}
