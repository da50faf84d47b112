import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { QueueHarness } from '../../contracts/queue-harness.ts';
import { FakeClock } from '../fake-clock.ts';
import { redisReplica, TestConnections } from './redis-stores.ts';

/** The keys of a queue that expire. */
const EXPIRING = ['lock', 'limiter', 'stalled-check'];

/** A store of its own inside the Redis of that URI, whose time is in the test's hand. */
export async function redisQueueHarness(uri: string): Promise<QueueHarness> {
  const prefix = `contract-${randomUUID()}`;
  const clock = new FakeClock(Date.now());
  const connections = await TestConnections.open(uri);
  const opened = [connections];
  return {
    prefix,
    ...redisReplica(connections, { prefix, clock }),
    now: () => clock.now(),
    advance: async (ms) => {
      for (const type of EXPIRING) await passTime(connections.commands, `${prefix}:*:${type}`, ms);
      await clock.advance(ms);
    },
    replica: async () => {
      const others = await TestConnections.open(uri);
      opened.push(others);
      return redisReplica(others, { prefix, clock });
    },
    dispose: () => {
      for (const each of opened) each.close();
      return Promise.resolve();
    },
  };
}

/** Brings the end of every key that expires nearer by `ms`, as time that passes does. */
async function passTime(redis: Redis, pattern: string, ms: number): Promise<void> {
  for (const key of await redis.keys(pattern)) {
    const left = await redis.pttl(key);
    if (left < 0) continue;
    if (left <= ms) await redis.del(key);
    else await redis.pexpire(key, left - ms);
  }
}
