import type { Redis } from 'ioredis';
import { dump } from './queue-dump.ts';

/**
 * What is left of all queues of the prefix, but our own fields and keys, the name of the replica, which BullMQ keeps, and
 * tokens. Events of different jobs come in another order: of all that end, then of all that start.
 */
export async function leftOf(redis: Redis, prefix: string): Promise<unknown> {
  const left = await dump(redis, prefix);
  const entries = Object.entries(left).flatMap(([key, value]) => {
    if (key.includes('jobgate')) return [];
    if (key.endsWith(':events'))
      return [[key, (value as string[][]).map((each) => each.join(' ')).sort()]];
    if (typeof value !== 'object' || Array.isArray(value) || value === null) return [[key, value]];
    const fields = Object.entries(value).filter(
      ([name]) => name !== 'pb' && !name.startsWith('jobgate'),
    );
    return [[key, Object.fromEntries(fields)]];
  });
  const text = JSON.stringify(Object.fromEntries(entries)).replaceAll(/\b\d{32}\b/g, 'token');
  return JSON.parse(text.replaceAll(prefix, 'prefix')) as unknown;
}
