import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { LostConnection } from './lost-connection.ts';
import { publicMessage } from './failure-log.ts';
import type { RedisClient } from './redis-client.ts';
import { ConnectionLost } from './watched-connection.ts';

/**
 * Keeps track of which connections to the store are lost, and why. An outage lasts from the first lost connection until
 * all are back, and logs one line at its start and one at its end. A further line reports another cause that keeps the
 * service from connecting, such as a password that the store refuses once it is up again.
 */
export class ConnectionOutages {
  readonly #logger: LoggerPort;
  /** Undefined while the cause is not known. */
  readonly #causes = new Map<RedisClient, Error | undefined>();
  /** Connections that were ready until a moment ago. */
  readonly #lost = new Map<RedisClient, LostConnection>();
  /** The causes that were logged for the current outage. */
  readonly #logged = new Set<string>();

  constructor(logger: LoggerPort) {
    this.#logger = logger;
  }

  watch(client: RedisClient): void {
    client.on('error', (error: Error) => {
      if (!(error instanceof ConnectionLost)) this.#note(client, nodeErrorOf(error) ?? error);
    });
    let wasReady = client.status === 'ready';
    client.on('close', () => {
      if (!this.#causes.has(client)) this.#causes.set(client, undefined);
      if (wasReady) this.#lose(client);
      wasReady = false;
    });
    client.on('ready', () => {
      wasReady = true;
      this.#end(client);
    });
    client.once('end', () => this.#causes.delete(client));
  }

  /** @returns why no command can be sent on the connection now; undefined when it is ready. */
  causeOf(client: RedisClient): Error | undefined {
    if (client.status === 'ready') return undefined;
    return this.#causes.get(client) ?? new Error('There is no connection to the store');
  }

  /** Resolves when the connection is back or the wait for it is over; undefined unless it was lost a moment ago. */
  returning(client: RedisClient): Promise<void> | undefined {
    return this.#lost.get(client)?.over;
  }

  #lose(client: RedisClient): void {
    const lost = new LostConnection(client);
    this.#lost.set(client, lost);
    void lost.over.then(() => this.#lost.delete(client));
  }

  #note(client: RedisClient, cause: Error): void {
    this.#causes.set(client, cause);
    // A store that goes down breaks one connection and refuses the next: both belong to the same outage.
    if (this.#logged.size === 0 || !('syscall' in cause)) this.#log(publicMessage(cause));
  }

  #log(message: string): void {
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    this.#logger.warn('The connection to the store is lost', { error: { message } });
  }

  #end(client: RedisClient): void {
    if (!this.#causes.delete(client)) return;
    if (this.#logged.size === 0) this.#log('The store closed the connection');
    if (this.#causes.size > 0) return;
    this.#logger.info('The connection to the store is back');
    this.#logged.clear();
  }
}

/** The cause behind the library's error when no node of a cluster, or no sentinel, could be reached. */
function nodeErrorOf(error: Error): Error | undefined {
  const { lastNodeError } = error as { readonly lastNodeError?: unknown };
  return lastNodeError instanceof Error ? lastNodeError : undefined;
}
