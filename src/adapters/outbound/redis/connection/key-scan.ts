import type { Cluster, Redis } from 'ioredis';
import type { RedisClient } from './redis-client.ts';

/** Keys that one command examines: well below a millisecond of the store's time. */
const KEYS_PER_COMMAND = 1000;

/** The cursor of a scan before it begins and after it ends. */
export const START = '0';

/** Some of the keys of a server, and the cursor for more. */
export interface ScannedKeys {
  readonly keys: readonly string[];
  readonly cursor: string;
}

/** The servers across which the keys of a store are spread. */
export function mastersOf(client: RedisClient): readonly Redis[] {
  return client.isCluster ? (client as Cluster).nodes('master') : [client as Redis];
}

/** Escapes text for the start of a key pattern. */
export function literally(start: string): string {
  return start.replaceAll(/[\\*?[\]]/g, '\\$&');
}

/** Scans the next keys of a server for matches; a key may occur several times. */
export async function scanKeys(server: Redis, pattern: string, from: string): Promise<ScannedKeys> {
  const [cursor, keys] = await server.scan(from, 'MATCH', pattern, 'COUNT', KEYS_PER_COMMAND);
  return { keys, cursor };
}
