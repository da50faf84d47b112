import {
  literally,
  mastersOf,
  scanKeys,
  START,
} from '../../../src/adapters/outbound/redis/connection/key-scan.ts';
import type { RedisClient } from '../../../src/adapters/outbound/redis/connection/redis-client.ts';

/** All keys of a prefix with their types, their values and whether they expire, as JSON. */
export async function dumpOf(redis: RedisClient, prefix: string): Promise<Buffer> {
  const found: unknown[] = [];
  for (const server of mastersOf(redis)) {
    let cursor = START;
    do {
      const scanned = await scanKeys(server, `${literally(prefix)}*`, cursor);
      for (const key of scanned.keys) {
        const type = await redis.type(key);
        const doesExpire = (await redis.pttl(key)) >= 0;
        found.push([key, type, await valueOf(redis, key, type), doesExpire]);
      }
      ({ cursor } = scanned);
    } while (cursor !== START);
  }
  return Buffer.from(JSON.stringify(found));
}

async function valueOf(redis: RedisClient, key: string, type: string): Promise<unknown> {
  switch (type) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1, 'WITHSCORES');
    case 'stream':
      return redis.xrange(key, '-', '+');
    case 'none':
      return null;
    default:
      throw new Error(`The key ${key} is of another type: ${type}`);
  }
}
