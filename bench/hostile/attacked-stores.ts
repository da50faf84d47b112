import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { withConnection } from '../postgres/with-connection.ts';

/** What an attack cost the store; undefined where the store has no such thing. */
export interface StoreCost {
  /** Bytes: of Redis its peak memory, of the embedded store and PostgreSQL what they hold on the disk. */
  readonly size?: number;
  /** Milliseconds of the longest script. On a busy machine it includes time without a processor. */
  readonly script?: number;
}

/** A store that serves one attack alone. */
export interface AttackedStore {
  readonly environment: Readonly<Record<string, string>>;
  /** Ignores in `cost` whatever happened so far. */
  forget(): Promise<void>;
  cost(): Promise<StoreCost>;
  end(): Promise<void>;
}

/** By the names that STORE has for them. */
export const ATTACKED_STORES: Readonly<Record<string, () => Promise<AttackedStore>>> = {
  redis: async () => {
    const server = await RedisServer.start();
    const redis = new Redis(server.uri);
    await redis.config('SET', 'maxmemory', '2gb');
    return {
      environment: { STORE_URI: server.uri },
      forget: async () => {
        await redis.config('RESETSTAT');
        await redis.config('SET', 'slowlog-log-slower-than', SLOW, 'slowlog-max-len', MOST_SLOW);
        await redis.slowlog('RESET');
      },
      cost: async () => {
        const memory = await redis.info('memory');
        const size = Number(/used_memory_peak:(\d+)/.exec(memory)?.[1]);
        return { size, script: await longestScript(redis) };
      },
      end: async () => {
        redis.disconnect();
        await server.stop();
      },
    };
  },
  memory: () =>
    Promise.resolve({
      environment: { STORE: 'memory' },
      forget: () => Promise.resolve(),
      cost: () => Promise.resolve({}),
      end: () => Promise.resolve(),
    }),
  embedded: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jobgate-hostile-'));
    return {
      environment: { STORE_PATH: folder },
      forget: () => Promise.resolve(),
      cost: async () => ({ size: await sizeOf(folder) }),
      end: () => rm(folder, { recursive: true, force: true }),
    };
  },
  postgres: async () => {
    const server = await PostgresServer.start({ fsync: 'on', synchronous_commit: 'on' });
    return {
      environment: { STORE_URI: server.uri },
      forget: () => Promise.resolve(),
      cost: async () => {
        const size = await withConnection(server, async (sql) => {
          const [row] = await sql`SELECT pg_database_size(current_database())::text AS bytes`;
          return Number(row?.['bytes']);
        });
        return { size };
      },
      end: () => server.stop(),
    };
  },
};

/** The store of a name, or all stores without one. @throws Error for a name that no store has. */
export function storesNamed(
  name: string | undefined,
): readonly (readonly [string, () => Promise<AttackedStore>])[] {
  const stores = Object.entries(ATTACKED_STORES);
  if (name === undefined) return stores;
  const found = stores.filter(([store]) => store === name);
  if (found.length === 0)
    throw new Error(`--store must be one of ${stores.map(([store]) => store).join(', ')}`);
  return found;
}

/** Commands of at least this many microseconds are examined, and this many of them. */
const [SLOW, MOST_SLOW] = [5000, 10_000];

/** In milliseconds; 0 when all were short. */
async function longestScript(redis: Redis): Promise<number> {
  const slow = (await redis.slowlog('GET', MOST_SLOW)) as [number, number, number, string[]][];
  const scripts = slow.filter(([, , , [command = '']]) => /^eval/i.test(command));
  return Math.max(0, ...scripts.map(([, , micros]) => micros / 1000));
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
