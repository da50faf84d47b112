import { Redis } from 'ioredis';
import { eventually } from '../../support/eventually.ts';
import { RedisSentinel } from '../../support/redis/redis-sentinel.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';

/**
 * A master refuses to write while no replica follows it, so that one which was cut off from the others
 * accepts nothing that the next master will not have.
 */
const SETTINGS = { 'min-replicas-to-write': '1', 'min-replicas-max-lag': '2' };

/** A master with two replicas, watched by three sentinels that fail over when it is down for a second. */
export class SentinelStore {
  readonly master: RedisServer;
  readonly #replicas: readonly RedisServer[];
  readonly #sentinels: readonly RedisSentinel[];

  private constructor(
    master: RedisServer,
    replicas: readonly RedisServer[],
    sentinels: readonly RedisSentinel[],
  ) {
    this.master = master;
    this.#replicas = replicas;
    this.#sentinels = sentinels;
  }

  /** Resolves when the sentinels know all there is to know, and the replicas follow the master. */
  static async start(): Promise<SentinelStore> {
    const master = await RedisServer.start({ settings: SETTINGS });
    const replicaof = `127.0.0.1 ${String(master.port)}`;
    const replicas = await Promise.all(
      [1, 2].map(() => RedisServer.start({ settings: { ...SETTINGS, replicaof } })),
    );
    const options = { quorum: 2, downAfter: 1000 };
    const sentinels = await Promise.all(
      [1, 2, 3].map(() => RedisSentinel.start(master.port, replicas.length, options)),
    );
    await Promise.all(sentinels.map((sentinel) => sentinel.knowsOthers(sentinels.length - 1)));
    await followedBy(master, replicas.length);
    return new SentinelStore(master, replicas, sentinels);
  }

  get sentinelAddresses(): readonly { readonly host: string; readonly port: number }[] {
    return this.#sentinels.map(({ port }) => ({ host: '127.0.0.1', port }));
  }

  /** The variables that name the store to the service. */
  get environment(): Readonly<Record<string, string>> {
    const sentinels = this.sentinelAddresses.map(({ host, port }) => `${host}:${String(port)}`);
    return {
      STORE_SENTINELS: sentinels.join(','),
      STORE_SENTINEL_MASTER: RedisSentinel.masterName,
    };
  }

  async stop(): Promise<void> {
    const parts = [...this.#sentinels, this.master, ...this.#replicas];
    await Promise.all(parts.map((part) => part.stop()));
  }
}

async function followedBy(master: RedisServer, replicas: number): Promise<void> {
  const client = new Redis(master.uri);
  await eventually('the replicas follow the master', async () => {
    const info = await client.info('replication');
    return info.includes(`min_slaves_good_slaves:${String(replicas)}`);
  });
  client.disconnect();
}
