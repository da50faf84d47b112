import type {
  QueueControlPort,
  QueueState,
} from '../../../../application/ports/queue-control-port.ts';
import type { DrainOptions } from '../../../../domain/drain-options.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { Script } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { pauseScript } from './pause-script.ts';
import { QueueDraining } from './queue-draining.ts';

/** Whole queues in a Redis-compatible store, as BullMQ's own clients know them. */
export class RedisQueueControl implements QueueControlPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #pause: Script;
  readonly #draining: QueueDraining;

  /** @throws Error when the installed BullMQ is not the version that the patches are for. */
  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
    this.#pause = pauseScript();
    this.#draining = new QueueDraining(commands);
  }

  async state(queue: QueueName): Promise<QueueState | undefined> {
    const { meta } = this.#keys.get(queue);
    const fields = await this.#commands.errors.run(() => this.#commands.client.hgetall(meta));
    return Object.keys(fields).length === 0 ? undefined : { isPaused: 'paused' in fields };
  }

  async pause(queue: QueueName): Promise<void> {
    const { wait, paused, meta, prioritized, events, delayed, marker } = this.#keys.get(queue);
    await this.#commands.scripts.run(
      this.#pause,
      [wait, paused, meta, prioritized, events, delayed, marker],
      ['paused', '1'],
    );
  }

  /** Jobs that BullMQ 5 put aside when it paused the queue come back in several steps. */
  async resume(queue: QueueName): Promise<void> {
    const { wait, paused, meta, prioritized, events, delayed, marker } = this.#keys.get(queue);
    let isTold = false;
    let remaining: unknown;
    do {
      remaining = await this.#commands.scripts.run(
        this.#pause,
        [paused, wait, meta, prioritized, events, delayed, marker],
        ['resumed', isTold ? '0' : '1'],
      );
      isTold = true;
    } while (remaining !== 0);
  }

  drain(queue: QueueName, options: DrainOptions): Promise<number> {
    return this.#draining.drain(this.#keys.get(queue), options);
  }
}
