import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { RedisClient } from './redis-client.ts';
import { Scripts } from './scripts.ts';
import { SerialReads } from './serial-reads.ts';
import type { StoreErrors } from './store-errors.ts';
import { StoreTime } from './store-time.ts';

/** The shared connection for commands, with its scripts and the store's time. */
export class StoreCommands {
  readonly client: RedisClient;
  readonly errors: StoreErrors;
  readonly scripts: Scripts;
  /** Runs a script with named arguments. @throws DomainError `store-unavailable`. */
  readonly call: Scripts['call'];
  readonly time: StoreTime;
  readonly #largeReads = new SerialReads();

  /** @param eventsKept as in the constructor of Scripts. */
  constructor(client: RedisClient, errors: StoreErrors, eventsKept: number, logger: LoggerPort) {
    this.client = client;
    this.errors = errors;
    this.scripts = new Scripts(client, errors, eventsKept);
    this.call = this.scripts.call.bind(this.scripts);
    this.time = new StoreTime(client, logger);
  }

  /**
   * Reads a value that is too large for a script. The process reads such values one after the other, so that only one
   * of them takes memory at a time.
   *
   * @throws DomainError `store-unavailable`.
   */
  readLarge<Value>(read: (client: RedisClient) => Promise<Value>): Promise<Value> {
    return this.#largeReads.run(() => this.errors.run(() => read(this.client)));
  }
}
