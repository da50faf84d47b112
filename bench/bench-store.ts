import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { RedisServer } from '../test/support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../test/support/redis/redis-stores.ts';

/** An own Redis with the store adapters and a native queue side by side. */
export class BenchStore {
  readonly native: Queue;
  readonly replica: RedisReplica;
  readonly #server: RedisServer;
  readonly #connections: TestConnections<Redis>;

  private constructor(server: RedisServer, connections: TestConnections<Redis>) {
    this.#server = server;
    this.#connections = connections;
    this.replica = redisReplica(connections);
    this.native = new Queue('native', { connection: { url: server.uri } });
  }

  static async start(): Promise<BenchStore> {
    const server = await RedisServer.start();
    const store = new BenchStore(server, await TestConnections.open(server.uri));
    await store.native.waitUntilReady();
    return store;
  }

  /** Empties the store, so that no round works on what another one left. */
  async clear(): Promise<void> {
    await this.#connections.commands.flushall();
  }

  async stop(): Promise<void> {
    await this.native.close();
    this.#connections.close();
    await this.#server.stop();
  }
}
