import type { PostgresReplica } from '../../../src/adapters/outbound/postgres/postgres-replica.ts';
import type { QueueHarness, QueueReplica } from '../../contracts/queue-harness.ts';
import { FakeClock } from '../fake-clock.ts';
import { dumpOf } from './dump-of.ts';
import { openReplica } from './open-replica.ts';
import { freshSchema } from './test-postgres.ts';

/** How many replicas there are besides the first one. */
const OTHERS = 2;

/** Queues on PostgreSQL in a schema of their own, under a clock that only `advance` moves. */
export async function postgresQueueHarness(
  prefix = 'test',
  clock = new FakeClock(),
): Promise<QueueHarness> {
  const { uri, schema } = await freshSchema();
  const replicas: PostgresReplica[] = [];
  const open = async (): Promise<PostgresReplica> => {
    const instance = `host:${replicas.length + 1}`;
    // As the replicas of the harnesses of the other stores.
    const named = { instance, replica: 'host:1' };
    const replica = await openReplica({ uri, schema, prefix, clock, ...named });
    replicas.push(replica);
    return replica;
  };
  const first = await open();
  let asked = 0;
  return {
    ...portsOf(first),
    prefix,
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    entriesOfGroups: async (queues) => {
      await first.storeHealth.check();
      const entries = queues.map((queue) => first.memory.find(queue)?.groups.entries ?? 0);
      return entries.reduce((sum, each) => sum + each, 0);
    },
    // Each replica follows all others, so that they are few.
    replica: async () => {
      asked += 1;
      const other = replicas[1 + (asked % OTHERS)];
      return portsOf(other ?? (await open()));
    },
    dump: () => dumpOf(uri, schema),
    dispose: async () => {
      for (const { store } of replicas) await store.stop();
    },
  };
}

function portsOf({ tickets, ...replica }: PostgresReplica): QueueReplica {
  return { ...replica, oneTime: tickets };
}
