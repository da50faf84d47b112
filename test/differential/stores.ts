import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { QueueHarness } from '../contracts/queue-harness.ts';
import { alternatingHarness } from '../support/alternating-harness.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { memoryQueueHarness } from '../support/memory-queue-harness.ts';
import { postgresQueueHarness } from '../support/postgres/postgres-queue-harness.ts';
import { reopenedQueueHarness } from '../support/reopened-queue-harness.ts';
import { redisQueueHarness } from '../support/redis/redis-queue-harness.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { TestConnections } from '../support/redis/redis-stores.ts';
import type { LuaCoverage } from './lua-coverage.ts';
import { goByPlayTime, setPlayTime } from './play-time.ts';
import { play } from './play.ts';
import type { Script } from './script.ts';

/**
 * Every play begins at the same time, so that schedulers do the same in each. It has passed, so that no deadline of a
 * run, which is by the time of the server, is over in the play.
 */
export const BEGINNING = Date.UTC(2026, 0, 1);

/**
 * The stores of plays: memory; memory that is read again from the records of the embedded store after every step; two
 * replicas on PostgreSQL; and a Redis of its own, so that time passes there for the keys of the play alone.
 */
export class Stores {
  readonly #server: RedisServer;

  private constructor(server: RedisServer) {
    this.#server = server;
  }

  static async open(): Promise<Stores> {
    return new Stores(await RedisServer.start());
  }

  /**
   * @param isOnPostgres whether PostgreSQL plays too, which takes longer.
   * @throws Error when the stores differ.
   */
  async play(script: Script, isOnPostgres = true): Promise<void> {
    const prefix = `play-${randomUUID()}`;
    const redis = await this.redis(prefix);
    const postgres = isOnPostgres
      ? await postgresQueueHarness(prefix, new FakeClock(BEGINNING))
      : undefined;
    try {
      await play(script, {
        memory: memoryQueueHarness(prefix, new FakeClock(BEGINNING)),
        embedded: reopenedQueueHarness(prefix, new FakeClock(BEGINNING)),
        ...(postgres && { postgres: await alternatingHarness(postgres) }),
        redis,
      });
    } finally {
      await Promise.all([redis.dispose(), postgres?.dispose()]);
    }
  }

  /** The store on the Redis of the plays, under a prefix of its own. */
  async redis(prefix: string): Promise<QueueHarness> {
    const timekeeper = new Redis(this.#server.uri);
    const connect = async (): Promise<TestConnections> => {
      const connections = await TestConnections.open(this.#server.uri);
      goByPlayTime(connections.commands);
      return connections;
    };
    const harness = await redisQueueHarness(connect, prefix, new FakeClock(BEGINNING));
    await setPlayTime(timekeeper, BEGINNING);
    return {
      ...harness,
      advance: async (ms) => {
        await harness.advance(ms);
        await setPlayTime(timekeeper, harness.now());
      },
      dispose: async () => {
        timekeeper.disconnect();
        await harness.dispose();
      },
    };
  }

  /** Which of the Lua rules ran on the Redis of the plays. */
  async report(coverage: LuaCoverage): Promise<string> {
    const redis = new Redis(this.#server.uri);
    return coverage.report(redis).finally(() => redis.disconnect());
  }

  async close(): Promise<void> {
    await this.#server.stop();
  }
}
