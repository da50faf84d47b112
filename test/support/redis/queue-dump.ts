import type { Redis } from 'ioredis';

/**
 * Everything a queue holds: the value of every key by its name after the queue's, events included.
 *
 * @param queue the qualified name of the queue.
 */
export async function dump(redis: Redis, queue: string): Promise<Record<string, unknown>> {
  const start = `${queue}:`;
  const keys = (await redis.keys(`${start}*`)).sort();
  const entries = keys.map(async (key) => [key.slice(start.length), await value(redis, key)]);
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
}

async function value(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key);
  switch (type) {
    case 'hash': {
      const hash = await redis.hgetall(key);
      const { opts } = hash;
      return opts === undefined ? hash : { ...hash, opts: JSON.parse(opts) as unknown };
    }
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return (await redis.smembers(key)).sort();
    case 'zset':
      return redis.zrange(key, 0, -1, 'WITHSCORES');
    case 'stream':
      return (await redis.xrange(key, '-', '+')).map(([, fields]) => fields);
    case 'string':
      return redis.get(key);
    default:
      throw new Error(`${key} is a ${type}`);
  }
}
