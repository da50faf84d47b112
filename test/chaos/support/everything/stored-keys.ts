import type { Redis } from 'ioredis';

const UNFINISHED = ['wait', 'paused', 'active', 'prioritized', 'delayed', 'waiting-children'];

/** The keys in which a queue keeps jobs that have not ended, as far as there are any. */
export async function unfinishedKeys(
  redis: Redis,
  prefix: string,
  queue: string,
): Promise<readonly string[]> {
  const keys = UNFINISHED.map((name) => `${prefix}:${queue}:${name}`);
  const found = await Promise.all(keys.map((key) => redis.exists(key)));
  return keys.filter((_, index) => found[index] === 1);
}

/** The names of all keys that begin with the prefix, in order. */
export async function keysOf(redis: Redis, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const page of redis.scanStream({ match: `${prefix}:*`, count: 1000 })) {
    keys.push(...(page as string[]));
  }
  return [...new Set(keys)].sort();
}
