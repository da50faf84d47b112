import { PostgresDatabase } from '../../adapters/outbound/postgres/driver/postgres-database.ts';
import {
  hostOf,
  WatchedDatabase,
} from '../../adapters/outbound/postgres/driver/watched-database.ts';
import { postgresReplica } from '../../adapters/outbound/postgres/postgres-replica.ts';
import { MAX_DEPTH, MAX_VALUES } from '../../adapters/shared/json-limits.ts';
import { MemoryRoom } from '../../adapters/outbound/memory/room/memory-room.ts';
import { ProcessHeap } from '../../adapters/shared/process-heap.ts';
import { publishChecks } from '../../adapters/outbound/postgres/inbox/add-checks.ts';
import { migrate } from '../../adapters/outbound/postgres/schema/migrate.ts';
import type { LoggerPort } from '../../application/ports/logger-port.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import type { Config, PostgresStoreConfig } from '../config/config.ts';
import { instanceName } from '../instance-name.ts';
import { endProcess } from './end-process.ts';
import type { MakeStore } from './store-module.ts';
import { queueSettings } from './stores-in-memory.ts';

/** STORE=postgres: queues and workers in a schema of a PostgreSQL database, shared with other replicas. */
export function postgresStore(
  config: Config,
  { uri, directUri, schema, pool }: PostgresStoreConfig,
  logger: LoggerPort,
): MakeStore {
  const instance = instanceName();
  const { http, queues } = config;
  const { maxJobsPerAdd: jobs, nameLimits, prefix } = queues;
  const addLimits = {
    queueName: queueName(nameLimits),
    prefix,
    most: { jobs, bytes: http.maxBodySize, values: MAX_VALUES, levels: MAX_DEPTH },
  };
  return (clock, calendar, hooks) => {
    const applicationName = `jobgate ${instance}`;
    const connections = new PostgresDatabase({ uri, directUri, pool, applicationName });
    const database = new WatchedDatabase(connections, hostOf(uri), logger);
    const settings = {
      room: new MemoryRoom(new ProcessHeap(), logger),
      database,
      schema,
      instance,
      auditEntries: config.audit.kept,
      queues: queueSettings(config, hooks),
      failed: endProcess(logger, 'The store cannot go on: start again, which reads all of it'),
      prepare: async (): Promise<void> => {
        for (const { number, name } of await migrate(database, schema)) {
          logger.info('Migrated the schema', { schema, number, name });
        }
        await publishChecks(database, schema, addLimits);
      },
    };
    return postgresReplica(settings, clock, calendar, logger);
  };
}
