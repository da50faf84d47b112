import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { RedisServer } from '../test/support/redis/redis-server.ts';
import {
  redisReplica,
  TestConnections,
  type RedisReplica,
} from '../test/support/redis/redis-stores.ts';

/** The store adapters and a native queue side by side on one Redis. */
export class BenchStore {
  readonly native: Queue;
  readonly replica: RedisReplica;
  readonly #connections: TestConnections<Redis>;
  readonly #server: RedisServer | undefined;

  private constructor(uri: string, connections: TestConnections<Redis>, server?: RedisServer) {
    this.#server = server;
    this.#connections = connections;
    this.replica = redisReplica(connections);
    this.native = new Queue('native', { connection: { url: uri } });
  }

  /** On a Redis of its own. */
  static async start(): Promise<BenchStore> {
    const server = await RedisServer.start();
    return BenchStore.on(server.uri, server);
  }

  static async on(uri: string, server?: RedisServer): Promise<BenchStore> {
    const store = new BenchStore(uri, await TestConnections.open(uri), server);
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
    await this.#server?.stop();
  }
}
