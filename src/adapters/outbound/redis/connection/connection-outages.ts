import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { LostConnection } from './lost-connection.ts';
import { publicMessage } from './failure-log.ts';
import type { RedisClient } from './redis-client.ts';
import type { StoreOutage } from './store-outage.ts';
import { ConnectionLost } from './watched-connection.ts';

/** What the log reports of a store that cannot be reached. */
export interface StorePlace {
  readonly address: string;
  /** What the operator can do while no store has ever answered at the address. */
  readonly hint: string;
}

/**
 * Keeps track of which connections to the store are lost, and why. An outage lasts from the first lost connection until
 * all are back, and logs one line at its start and one at its end. A further line reports another cause that keeps the
 * service from connecting, such as a password that the store refuses once it is up again.
 */
export class ConnectionOutages {
  readonly #logger: LoggerPort;
  readonly #place: StorePlace;
  /** Whether the store has ever answered on all connections: until then, nothing can be lost. */
  #hasConnected = false;
  /** Undefined while the cause is not known. */
  readonly #causes = new Map<RedisClient, Error | undefined>();
  /** Connections that were ready until a moment ago. */
  readonly #lost = new Map<RedisClient, LostConnection>();
  /** The causes that were logged for the current outage. */
  readonly #logged = new Set<string>();

  constructor(logger: LoggerPort, place: StorePlace) {
    this.#logger = logger;
    this.#place = place;
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

  /** The outage of one of the connections. */
  of(client: RedisClient): StoreOutage {
    const causeOf = (): Error | undefined => {
      if (client.status === 'ready') return undefined;
      return this.#causes.get(client) ?? new Error('There is no connection to the store');
    };
    return {
      get causeOfOutage() {
        return causeOf();
      },
      returning: () => this.#lost.get(client)?.over,
    };
  }

  #lose(client: RedisClient): void {
    const lost = new LostConnection(client);
    this.#lost.set(client, lost);
    void lost.over.then(() => this.#lost.delete(client));
  }

  #note(client: RedisClient, cause: Error): void {
    this.#causes.set(client, cause);
    const isUnreachable = 'syscall' in cause;
    // A store that goes down breaks one connection and refuses the next: both belong to the same outage.
    if (this.#logged.size === 0 || !isUnreachable) this.#log(publicMessage(cause), isUnreachable);
  }

  #log(message: string, isUnreachable: boolean): void {
    if (this.#logged.has(message)) return;
    this.#logged.add(message);
    const { address, hint } = this.#place;
    const fields = { address, error: { message } };
    if (this.#hasConnected) this.#logger.warn('The connection to the store is lost', fields);
    else
      this.#logger.warn('The service cannot connect to the store', {
        ...fields,
        ...(isUnreachable && { hint }),
      });
  }

  #end(client: RedisClient): void {
    const isBack = this.#causes.delete(client);
    if (isBack && this.#logged.size === 0) this.#log('The store closed the connection', false);
    if (this.#causes.size > 0) return;
    if (isBack) {
      const back = this.#hasConnected
        ? 'The connection to the store is back'
        : 'The store is connected';
      this.#logger.info(back);
    }
    this.#logged.clear();
    this.#hasConnected = true;
  }
}

/** The cause behind the library's error when no node of a cluster, or no sentinel, could be reached. */
function nodeErrorOf(error: Error): Error | undefined {
  const { lastNodeError } = error as { readonly lastNodeError?: unknown };
  return lastNodeError instanceof Error ? lastNodeError : undefined;
}
