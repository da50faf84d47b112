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
import { MAX_DEPTH, MAX_VALUES } from '../../adapters/inbound/exchange/json-inspection.ts';
import { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import { publishChecks } from '../../adapters/outbound/postgres/inbox/add-checks.ts';
import { migrate } from '../../adapters/outbound/postgres/schema/migrate.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import { stalledGrace } from '../../domain/attempts/stalled.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import type { Config, PostgresStoreConfig } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import { endProcess } from './end-process.ts';
import { bindStorePorts } from './store-ports.ts';
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
    auditEntries: audit.kept,
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
      [tokens.clock, tokens.calendar, tokens.hooksOfQueues],
    );
    bind(tokens.store).toResolvedValue(({ store }) => store, [replica]);
    bind(tokens.storeHealth).toResolvedValue(({ storeHealth }) => storeHealth, [replica]);
    bind(tokens.signals).toResolvedValue(({ signals }) => signals, [replica]);
    bindStorePorts(bind, replica);
    bind(tokens.storeBackup).toResolvedValue(() => undefined);
    bind(tokens.storeFolder).toResolvedValue(() => undefined);
  });
}
