import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisClient, RedisConnections } from './redis-client.ts';
import { ConnectionOutages } from './connection-outages.ts';
import { FailureLog } from './failure-log.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { Startable } from '../../../../application/running/startable.ts';
import { addressOf, type RedisSettings } from './redis-settings.ts';
import { PATIENCE } from './patience.ts';
import type { StoreOutage } from './store-outage.ts';
import { AnswerWatch } from './answer-watch.ts';
import { blockingOptions, commandOptions, subscriberOptions } from './redis-options.ts';

/** All connections of this process to the store. They connect, and reconnect, by themselves. */
export class SharedRedisConnections implements RedisConnections, Startable {
  readonly name = 'store connections';
  readonly commands: RedisClient;
  /** The outage of the connection for commands. */
  readonly outage: StoreOutage;
  readonly #config: RedisSettings;
  readonly #outages: ConnectionOutages;
  readonly #nodeFailures: FailureLog;
  readonly #answers = new AnswerWatch();
  readonly #clients = new Set<RedisClient>();

  /** @param hint for the log: what the operator can do while no store has ever answered. */
  constructor(config: RedisSettings, logger: LoggerPort, clock: ClockPort, hint: string) {
    this.#config = config;
    const address = addressOf(config.topology);
    this.#outages = new ConnectionOutages(logger, { address, hint });
    this.#nodeFailures = new FailureLog('A node of the store cannot be reached', logger, clock);
    this.commands = this.#connect(commandOptions);
    this.outage = this.#outages.of(this.commands);
  }

  blocking(): RedisClient {
    return this.#connect(blockingOptions);
  }

  subscriber(): RedisClient {
    return this.#connect(subscriberOptions);
  }

  /** Waits a moment for the first connection, so that a service with an available store starts ready. */
  async start(): Promise<void> {
    if (this.commands.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1000);
      this.commands.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  stop(): Promise<void> {
    for (const client of this.#clients) client.disconnect();
    return Promise.resolve();
  }

  #connect(options: RedisOptions): RedisClient {
    const client = this.#create(options);
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    this.#answers.watch(client, options === blockingOptions);
    this.#outages.watch(client);
    client.on('node error', (error: Error) => {
      this.#nodeFailures.note(error);
    });
    return client;
  }

  #create(options: RedisOptions): RedisClient {
    const { topology, username, password, tls } = this.#config;
    const access: RedisOptions = {
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls !== undefined && { tls }),
    };
    switch (topology.kind) {
      case 'single': {
        const { host, port, db = 0 } = topology;
        return new Redis({ ...options, ...access, host, port, db });
      }
      case 'sentinel':
        return new Redis({
          ...options,
          ...access,
          sentinels: [...topology.sentinels],
          name: topology.master,
          ...(tls !== undefined && { enableTLSForSentinelMode: true, sentinelTLS: tls }),
        });
      case 'cluster':
        return new Cluster([...topology.nodes], {
          redisOptions: { ...options, ...access },
          enableOfflineQueue: false,
          slotsRefreshTimeout: PATIENCE,
          clusterRetryStrategy: (attempt) => Math.min(attempt * 50, 1000),
        });
    }
  }
}
