import { randomUUID } from 'node:crypto';
import type { Cluster } from 'ioredis';
import type { RedisClient } from '../../../src/adapters/outbound/redis/connection/redis-client.ts';
import type { StoreTime } from '../../../src/adapters/outbound/redis/connection/store-time.ts';
import type { ClockPort } from '../../../src/application/ports/clock-port.ts';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { FakeClock } from '../fake-clock.ts';
import type { TestConnections } from './redis-stores.ts';
import { redisReplica } from './redis-stores.ts';

/** The keys of a queue that expire. */
const EXPIRING = [
  'lock',
  'limiter',
  'stalled-check',
  'jobgate:starts',
  'jobgate:idempotency*',
  'jobgate:report-*',
  'jobgate:calls-*',
  'de:*',
  'jobgate:ticket:*',
];

/** A store of its own inside a Redis, whose time is in the test's hand. */
export async function redisQueueHarness(
  connect: () => Promise<TestConnections>,
  prefix = `contract-${randomUUID()}`,
): Promise<QueueHarness> {
  const clock = new FakeClock(Date.now());
  const connections = await connect();
  const opened = [connections];
  return {
    prefix,
    ...redisReplica(connections, { prefix, clock, storeTime: timeOf(clock) }),
    now: () => clock.now(),
    advance: async (ms) => {
      // The store is shared with other tests, and long to look through: once is enough.
      const keys = await keysOf(connections.commands, `${prefix}:*`);
      const ofType = (type: string): string[] => keys.filter((key) => isOfType(key, type));
      await passTime(connections.commands, EXPIRING.flatMap(ofType), ms);
      await passStarts(connections.commands, ofType('jobgate:starts'), ms);
      await passHolds(connections.commands, ofType('jobgate:gate'), ms);
      await clock.advance(ms);
    },
    replica: async () => {
      const others = await connect();
      opened.push(others);
      return redisReplica(others, { prefix, clock, storeTime: timeOf(clock) });
    },
    dispose: () => {
      for (const each of opened) each.close();
      return Promise.resolve();
    },
  };
}

/** The clock in place of the store's own. */
export function timeOf(clock: ClockPort): Pick<StoreTime, 'in'> {
  return { in: (ms) => clock.now() + ms };
}

/** Brings the end of every key that expires nearer by `ms`, as time that passes does. */
async function passTime(redis: RedisClient, keys: readonly string[], ms: number): Promise<void> {
  for (const key of keys) {
    const left = await redis.pttl(key);
    if (left < 0) continue;
    if (left <= ms) await redis.del(key);
    else await redis.pexpire(key, left - ms);
  }
}

/** Makes the starts that the limiters count older by `ms`. */
async function passStarts(redis: RedisClient, keys: readonly string[], ms: number): Promise<void> {
  for (const key of keys) await redis.eval(PASS_STARTS, 1, key, ms);
}

/** In one step, as the list may expire after any. */
const PASS_STARTS = `
for index, start in ipairs(redis.call("LRANGE", KEYS[1], 0, -1)) do
  redis.call("LSET", KEYS[1], index - 1, string.format("%.3f", start - ARGV[1]))
end
`;

/** Brings the end of every hold, and of every open breaker, nearer by `ms`. */
async function passHolds(redis: RedisClient, keys: readonly string[], ms: number): Promise<void> {
  for (const key of keys) {
    for (const field of ['heldSince', 'heldUntil', 'openUntil']) {
      const until = await redis.hget(key, field);
      if (until !== null) await redis.hset(key, field, Number(until) - ms);
    }
  }
}

/** @param type what the key ends in; behind a `*` at its end anything may follow. */
function isOfType(key: string, type: string): boolean {
  const isWhole = !type.endsWith('*');
  return isWhole ? key.endsWith(`:${type}`) : key.includes(`:${type.slice(0, -1)}`);
}

async function keysOf(redis: RedisClient, pattern: string): Promise<string[]> {
  if (!redis.isCluster) return redis.keys(pattern);
  const found = (redis as Cluster).nodes('master').map((node) => node.keys(pattern));
  return (await Promise.all(found)).flat();
}
