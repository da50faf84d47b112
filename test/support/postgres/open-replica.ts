import { CronCalendar } from '../../../src/adapters/outbound/cron/cron-calendar.ts';
import {
  postgresReplica,
  type PostgresReplica,
} from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import { MAX_DEPTH, MAX_VALUES } from '../../../src/adapters/shared/json-limits.ts';
import type { MemoryRoom } from '../../../src/adapters/outbound/memory/room/memory-room.ts';
import type { Database } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { publishChecks } from '../../../src/adapters/outbound/postgres/inbox/add-checks.ts';
import { migrate } from '../../../src/adapters/outbound/postgres/schema/migrate.ts';
import { hooksOfTests } from '../hooks-of-tests.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import type { LoggerPort } from '../../../src/application/ports/logger-port.ts';
import type { ClockPort } from '../../../src/application/ports/clock-port.ts';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { STALLED_GRACE } from '../../contracts/queue-steps.ts';
import { ampleRoom } from '../ample-room.ts';
import { silentLogger } from '../silent-logger.ts';
import { testDatabase } from './test-database.ts';

/** What a replica needs in a test, apart from a database. */
export interface ReplicaOfTest {
  readonly schema: string;
  readonly clock: ClockPort;
  readonly prefix?: string;
  readonly instance?: string;
  /** What it is named in the attempts that it records. */
  readonly replica?: string;
  /** How many entries its audit keeps; as the contract of the audit wants it unless given. */
  readonly auditEntries?: number;
  /** Is called when the replica cannot go on. */
  readonly failed?: (error: Error) => void;
  readonly logger?: LoggerPort;
  readonly room?: MemoryRoom;
}

/** Makes a replica, to be started before its ports are used. */
export function replicaOn(
  database: Database,
  {
    schema,
    clock,
    prefix = 'test',
    instance = 'host:1',
    replica: name = instance,
    auditEntries = 10,
    failed = (): void => undefined,
    logger = silentLogger,
    room = ampleRoom,
  }: ReplicaOfTest,
): PostgresReplica {
  const addLimits = {
    queueName: queueName({ min: 3, max: 100 }),
    prefix,
    most: { jobs: 1000, bytes: 1_000_000, values: MAX_VALUES, levels: MAX_DEPTH },
  };
  const settings = {
    database,
    schema,
    queues: {
      stalledGrace: STALLED_GRACE,
      eventsKept: 10_000,
      prefix,
      replica: name,
      hooksOf: (queue: QueueName) => hooksOfTests.of(queue),
    },
    auditEntries,
    instance,
    room,
    failed,
    prepare: async (): Promise<void> => {
      await migrate(database, schema);
      await publishChecks(database, schema, addLimits);
    },
  };
  return postgresReplica(settings, clock, new CronCalendar(), logger);
}

/** Starts the store of a replica. Whoever opens it stops it. */
export async function openReplica({
  uri,
  ...settings
}: ReplicaOfTest & { readonly uri: string }): Promise<PostgresReplica> {
  const replica = replicaOn(testDatabase(uri, 4), settings);
  await replica.store.start(new AbortController().signal);
  return replica;
}
