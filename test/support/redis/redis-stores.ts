import { once } from 'node:events';
import { Redis } from 'ioredis';
import type {
  RedisClient,
  RedisConnections,
} from '../../../src/adapters/outbound/redis/connection/redis-client.ts';
import { MarkerWatch } from '../../../src/adapters/outbound/redis/queues/marker-watch.ts';
import { QueueCache } from '../../../src/adapters/outbound/redis/queues/queue-cache.ts';
import { RedisJobConsumer } from '../../../src/adapters/outbound/redis/queues/redis-job-consumer.ts';
import { RedisQueues } from '../../../src/adapters/outbound/redis/queues/redis-queues.ts';
import type { ClockPort } from '../../../src/application/ports/clock-port.ts';
import {
  blockingOptions,
  commandOptions,
  subscriberOptions,
} from '../../../src/infrastructure/redis/redis-options.ts';
import { SystemClock } from '../../../src/infrastructure/system-clock.ts';
import { silentLogger } from '../silent-logger.ts';

/** Connections as the service makes them, to a store of a test. */
export class TestConnections implements RedisConnections {
  readonly commands: Redis;
  readonly #uri: string;
  readonly #clients: Redis[] = [];

  constructor(uri: string) {
    this.#uri = uri;
    this.commands = this.#open(commandOptions);
  }

  static async open(uri: string): Promise<TestConnections> {
    const connections = new TestConnections(uri);
    await once(connections.commands, 'ready');
    return connections;
  }

  blocking(): RedisClient {
    return this.#open(blockingOptions);
  }

  subscriber(): RedisClient {
    return this.#open(subscriberOptions);
  }

  close(): void {
    for (const client of this.#clients) client.disconnect();
  }

  #open(options: object): Redis {
    const client = new Redis(this.#uri, options);
    client.on('error', () => undefined);
    this.#clients.push(client);
    return client;
  }
}

/** The store adapters of one replica. */
export interface RedisReplica {
  readonly queues: RedisQueues;
  readonly consumer: RedisJobConsumer;
}

export function redisReplica(
  connections: RedisConnections,
  { prefix = 'bull', clock = new SystemClock() }: { prefix?: string; clock?: ClockPort } = {},
): RedisReplica {
  const cache = new QueueCache(prefix, 100);
  const markers = new MarkerWatch(connections, prefix, silentLogger);
  return {
    queues: new RedisQueues(connections.commands, cache, clock),
    consumer: new RedisJobConsumer(connections.commands, cache, markers, clock),
  };
}
