import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { requireRedisBinary } from './redis-binary.ts';
import { RedisServer } from './redis-server.ts';

const SLOTS = 16384;

/** How long the nodes may take to agree, and how often they are asked, in milliseconds. */
const AGREEMENT_TIMEOUT = 15_000;
const ASK_EVERY = 50;

/** Redis Cluster of masters that share the slots evenly, each an own process (Redis 7 or Valkey). */
export class RedisCluster {
  private constructor(readonly nodes: readonly RedisServer[]) {}

  /** Resolves when every node says that the cluster is whole. */
  static async start(size: number): Promise<RedisCluster> {
    const binary = await requireRedisBinary();
    const starts = await Promise.allSettled(Array.from({ length: size }, () => startNode(binary)));
    const nodes = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const cluster = new RedisCluster(nodes);
    try {
      for (const start of starts) if (start.status === 'rejected') throw start.reason;
      await cluster.#join();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** `host:port` of every node. */
  get addresses(): readonly string[] {
    return this.nodes.map((node) => `127.0.0.1:${node.port}`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  async #join(): Promise<void> {
    const clients = this.nodes.map((node) => new Redis(node.uri));
    try {
      const share = SLOTS / clients.length;
      for (const [index, client] of clients.entries()) {
        const first = Math.round(index * share);
        const last = Math.round((index + 1) * share) - 1;
        // Distinct epochs spare the nodes the settling of a tie.
        await client.cluster('SET-CONFIG-EPOCH', index + 1);
        await client.cluster('ADDSLOTSRANGE', first, last);
      }
      for (const node of this.nodes) {
        await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', node.port, node.busPort);
      }
      await Promise.all(clients.map((client) => untilWhole(client, clients.length)));
    } finally {
      for (const client of clients) client.disconnect();
    }
  }
}

function startNode(binary: string): Promise<RedisServer> {
  const settings = { 'cluster-enabled': 'yes', 'cluster-node-timeout': '2000' };
  return RedisServer.start({ binary, settings });
}

/** The nodes gossip without a signal when they are done, so they are polled. */
async function untilWhole(client: Redis, size: number): Promise<void> {
  const deadline = Date.now() + AGREEMENT_TIMEOUT;
  for (;;) {
    const info = await client.cluster('INFO');
    const isWhole =
      info.includes('cluster_state:ok') &&
      info.includes(`cluster_slots_ok:${SLOTS}`) &&
      info.includes(`cluster_known_nodes:${size}\r`);
    if (isWhole) return;
    if (Date.now() > deadline) throw new Error(`The cluster did not become whole: ${info}`);
    await wait(ASK_EVERY);
  }
}
