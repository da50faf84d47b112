import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { eventually } from '../support/eventually.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { testDatabase } from '../support/postgres/test-database.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { KeyedAdds } from './support/keyed-adds.ts';
import { Replicas } from './support/replicas.ts';

/** `TRIES=10000 npm run test:file -- test/chaos/refused-requests.chaos.ts` for more of them, `SEED` for others. */
const TRIES = Number(process.env['TRIES'] ?? 600);
const SEED = Number(process.env['SEED'] ?? 60);

/** How many clients add at once. */
const CLIENTS = 8;

/** How many adds there are to a kill of a replica. */
const TRIES_OF_REPLICA = 60;

/** A store, how many replicas use it, and how their connections to it are killed. */
interface Scene {
  readonly environment: Readonly<Record<string, string>>;
  readonly replicas: number;
  readonly killConnection?: () => Promise<unknown>;
  readonly end: () => unknown;
}

async function onPostgres(): Promise<Scene> {
  const server = await PostgresServer.start({ fsync: 'on' });
  const database = testDatabase(server.uri);
  return {
    environment: { STORE: 'postgres', STORE_URI: server.uri },
    replicas: 2,
    // Of those that commit, if there are any.
    killConnection: () =>
      database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name <> 'jobgate test' AND backend_type = 'client backend'
         ORDER BY query = 'COMMIT' AND state = 'active' DESC, random() LIMIT 1`,
      ),
    end: async () => {
      await database.close();
      await server.stop();
    },
  };
}

async function onRedis(): Promise<Scene> {
  const server = await RedisServer.start();
  const redis = new Redis(server.uri);
  return {
    environment: { STORE: 'redis', STORE_URI: server.uri },
    replicas: 2,
    killConnection: () => redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    end: async () => {
      redis.disconnect();
      await server.stop();
    },
  };
}

function onDisk(): Promise<Scene> {
  const folder = new TemporaryFolder();
  return Promise.resolve({
    environment: { STORE: 'embedded', STORE_PATH: folder.in(randomUUID()) },
    replicas: 1,
    end: () => folder.remove(),
  });
}

describe('adds while replicas and their connections to the store are killed', function () {
  this.timeout(120_000 + TRIES * 200);

  const random = seededRandom(SEED);
  let scene: Scene;
  let replicas: Replicas;

  afterEach(async () => {
    await replicas.kill();
    await scene.end();
  });

  async function addAll(adds: KeyedAdds): Promise<void> {
    const client = async (): Promise<void> => {
      while (adds.sent < TRIES) {
        await eventually('a replica runs', () => Promise.resolve(replicas.running.length > 0));
        await adds.send(replicas.next);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  }

  /** Starts a replica as a supervisor does: it ends when its connection is lost as it reads the store. */
  async function started(): Promise<void> {
    await replicas.add().catch(started);
  }

  /** @returns how many replicas were killed. */
  async function killUntil(adding: Promise<void>, adds: KeyedAdds): Promise<number> {
    const state = { isOver: false };
    const over = adding.finally(() => (state.isOver = true));
    let [kills, restarting] = [0, Promise.resolve<unknown>(undefined)];
    while (!state.isOver) {
      await sleep(random() * 40);
      await scene.killConnection?.();
      if (adds.sent < (kills + 0.5) * TRIES_OF_REPLICA) continue;
      await restarting;
      const [oldest] = replicas.running;
      if (oldest === undefined) continue;
      kills += 1;
      await replicas.crash(oldest);
      restarting = started();
    }
    await Promise.all([over, restarting]);
    return kills;
  }

  for (const [store, begin] of [
    ['PostgreSQL', onPostgres],
    ['a folder', onDisk],
    ['Redis', onRedis],
  ] as const) {
    // holds: store.not-stored, store.acknowledged, idempotency.unsettled
    it(`are stored when they are added, and not when they are refused, of ${TRIES} on ${store}`, async () => {
      scene = await begin();
      replicas = await Replicas.start(scene.replicas, scene.environment);
      await replicas.ready();
      const adds = new KeyedAdds('keyed');
      const kills = await killUntil(addAll(adds), adds);
      await replicas.ready();
      const { counts } = adds;
      console.log('    ', { kills, ...counts });
      expect(counts.added).to.be.above(TRIES / 4);
      expect(counts.unanswered).to.be.above(0);
      await adds.prove(replicas.next);
    });
  }
});
