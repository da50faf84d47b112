import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { QueueKeys, QueuesKeys } from '../layout/queue-keys.ts';
import type { Given, TypedScript } from '../lua/script.ts';
import type { RedisClient } from './redis-client.ts';
import { Scripts } from './scripts.ts';
import { SerialReads } from './serial-reads.ts';
import type { StoreErrors } from './store-errors.ts';
import { StoreTime } from './store-time.ts';

/** The shared connection for commands, with its scripts, the store's time, and the keys of its queues. */
export class StoreCommands {
  readonly client: RedisClient;
  readonly errors: StoreErrors;
  readonly scripts: Scripts;
  /** Runs a script with named arguments. @throws DomainError `store-unavailable`. */
  readonly call: Scripts['call'];
  readonly time: StoreTime;
  readonly #keys: QueueKeysCache;
  readonly #largeReads = new SerialReads();

  /** @param eventsKept as in the constructor of Scripts. */
  constructor(
    client: RedisClient,
    errors: StoreErrors,
    eventsKept: number,
    logger: LoggerPort,
    keys: QueueKeysCache,
  ) {
    this.#keys = keys;
    this.client = client;
    this.errors = errors;
    this.scripts = new Scripts(client, errors, eventsKept);
    this.call = this.scripts.call.bind(this.scripts);
    this.time = new StoreTime(client, logger);
  }

  /** The prefix of the keys of all queues. */
  get prefix(): string {
    return this.#keys.prefix;
  }

  /** The keys of no queue. */
  get all(): QueuesKeys {
    return this.#keys.all;
  }

  keysOf(queue: QueueName): QueueKeys {
    return this.#keys.get(queue);
  }

  /** Runs a script of a queue. @throws as `call`. */
  callOf<Args, Answer>(
    queue: QueueName,
    script: TypedScript<QueueKeys, Args, Answer>,
    ...given: Given<Args>
  ): Promise<Answer> {
    return this.call(script, this.keysOf(queue), ...given);
  }

  /** Runs a script of several queues. @throws as `call`. */
  callOfAll<Args, Answer>(
    script: TypedScript<QueuesKeys, Args, Answer>,
    ...given: Given<Args>
  ): Promise<Answer> {
    return this.call(script, this.all, ...given);
  }

  /** Sends a command. @throws as `call`. */
  run<Answer>(command: (client: RedisClient) => Promise<Answer>): Promise<Answer> {
    return this.errors.run(() => command(this.client));
  }

  /**
   * Reads a value that is too large for a script. The process reads such values one after the other, so that only one
   * of them takes memory at a time.
   *
   * @throws DomainError `store-unavailable`.
   */
  readLarge<Value>(read: (client: RedisClient) => Promise<Value>): Promise<Value> {
    return this.#largeReads.run(() => this.run(read));
  }
}
