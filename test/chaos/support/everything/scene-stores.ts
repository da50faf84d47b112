import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis } from 'ioredis';
import { RedisCluster } from '../../../support/redis/redis-cluster.ts';
import { RedisSentinel } from '../../../support/redis/redis-sentinel.ts';
import type { RedisServer } from '../../../support/redis/redis-server.ts';
import { startDurableRedis } from '../outage.ts';
import { SentinelStore } from '../sentinel-store.ts';

/** A store that fails for a short time in the middle of a scene. */
export interface SceneStore {
  /** The variables that name the store to the service. */
  readonly environment: Readonly<Record<string, string>>;
  readonly prefix: string;
  /** Takes the store away. Resolves when it is back, or when another server takes its place. */
  fail(): Promise<void>;
  /** A client for the node that holds the keys of all queues. */
  openClient(): Promise<Redis>;
  stop(): Promise<void>;
}

/** How long the store is away, in milliseconds. */
const OUTAGE = 2000;

/** Killed and restarted with what it had stored. */
export async function singleRedis(): Promise<SceneStore> {
  const server = await startDurableRedis();
  return {
    environment: { STORE_URI: server.uri },
    prefix: 'bull',
    fail: async () => {
      await server.kill();
      await sleep(OUTAGE);
      await server.restart();
    },
    openClient: () => Promise.resolve(new Redis(server.uri)),
    stop: () => server.stop(),
  };
}

/** The master is killed, and the sentinels choose another one. */
export async function sentinels(): Promise<SceneStore> {
  const store = await SentinelStore.start();
  return {
    environment: store.environment,
    prefix: 'bull',
    fail: async () => {
      await store.master.kill();
      await sleep(OUTAGE);
    },
    openClient: () =>
      Promise.resolve(
        new Redis({ sentinels: [...store.sentinelAddresses], name: RedisSentinel.masterName }),
      ),
    stop: () => store.stop(),
  };
}

/** The node that holds the queues stands still, for longer than the others wait before they call it failed. */
export async function cluster(): Promise<SceneStore> {
  const nodes = await RedisCluster.start(3);
  const prefix = '{jobgate}';
  const holder = await holderOf(nodes, prefix);
  return {
    environment: { STORE_CLUSTER_NODES: nodes.addresses.join(','), QUEUE_PREFIX: prefix },
    prefix,
    fail: async () => {
      process.kill(holder.pid, 'SIGSTOP');
      await sleep(1.5 * OUTAGE);
      process.kill(holder.pid, 'SIGCONT');
    },
    openClient: () => Promise.resolve(new Redis(holder.uri)),
    stop: () => nodes.stop(),
  };
}

async function holderOf({ nodes }: RedisCluster, key: string): Promise<RedisServer> {
  const client = new Cluster([{ host: '127.0.0.1', port: nodes[0]!.port }]);
  const slot = await client.cluster('KEYSLOT', key);
  const ranges = await client.cluster('SLOTS');
  client.disconnect();
  const range = ranges.find(([first, last]) => first <= slot && slot <= last);
  return nodes.find(({ port }) => port === range?.[2]?.[1])!;
}
