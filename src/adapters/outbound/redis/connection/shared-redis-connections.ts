import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisClient, RedisConnections } from './redis-client.ts';
import { FailureLog } from './failure-log.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { Startable } from '../../../../application/ports/startable.ts';
import type { RedisSettings } from './redis-settings.ts';
import { PATIENCE } from './patience.ts';
import { AnswerWatch } from './answer-watch.ts';
import { blockingOptions, commandOptions, subscriberOptions } from './redis-options.ts';

/** All connections of this process to the store. They connect, and reconnect, by themselves. */
export class SharedRedisConnections implements RedisConnections, Startable {
  readonly name = 'store connections';
  readonly commands: RedisClient;
  readonly #config: RedisSettings;
  readonly #logger: LoggerPort;
  readonly #failures: FailureLog;
  readonly #answers = new AnswerWatch();
  readonly #clients = new Set<RedisClient>();

  constructor(config: RedisSettings, logger: LoggerPort, clock: ClockPort) {
    this.#config = config;
    this.#logger = logger;
    this.#failures = new FailureLog('The connection to the store is lost', logger, clock);
    this.commands = this.#connect('commands', commandOptions);
  }

  blocking(): RedisClient {
    return this.#connect('blocking', blockingOptions);
  }

  subscriber(): RedisClient {
    return this.#connect('subscriber', subscriberOptions);
  }

  /** Gives the first connection a moment, so that a service whose store is there starts ready. */
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

  #connect(purpose: string, options: RedisOptions): RedisClient {
    const client = this.#create(options);
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    this.#answers.watch(client, purpose === 'blocking');
    this.#logState(client, purpose);
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

  /** One line for each cause that a connection is lost by, not for each attempt, and one when it is back. */
  #logState(client: RedisClient, purpose: string): void {
    let lost = false;
    const note = (error: Error): void => {
      lost = true;
      this.#failures.note(error, { purpose });
    };
    client.on('error', note);
    client.on('node error', note);
    client.on('ready', () => {
      if (lost) this.#logger.info('The connection to the store is back', { purpose });
      lost = false;
    });
  }
}
