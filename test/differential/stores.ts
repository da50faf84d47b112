import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { FakeClock } from '../support/fake-clock.ts';
import { memoryQueueHarness } from '../support/memory-queue-harness.ts';
import { redisQueueHarness } from '../support/redis/redis-queue-harness.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { TestConnections } from '../support/redis/redis-stores.ts';
import type { LuaCoverage } from './lua-coverage.ts';
import { play } from './play.ts';
import type { Script } from './script.ts';

/** Every play begins at the same time, so that schedulers do the same in each. */
const BEGINNING = Date.UTC(2026, 0, 1);

/** The stores of plays: memory, and a Redis of its own, so that time passes there for the keys of the play alone. */
export class Stores {
  readonly #server: RedisServer;

  private constructor(server: RedisServer) {
    this.#server = server;
  }

  static async open(): Promise<Stores> {
    return new Stores(await RedisServer.start());
  }

  /** @throws Error when the stores differ. */
  async play(script: Script): Promise<void> {
    const connect = (): Promise<TestConnections> => TestConnections.open(this.#server.uri);
    const prefix = `play-${randomUUID()}`;
    const redis = await redisQueueHarness(connect, prefix, new FakeClock(BEGINNING));
    try {
      await play(script, memoryQueueHarness(prefix, new FakeClock(BEGINNING)), redis);
    } finally {
      await redis.dispose();
    }
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
