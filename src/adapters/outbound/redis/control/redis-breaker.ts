import type { BreakerPort } from '../../../../application/ports/breaker-port.ts';
import type { OpenBreaker } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { closeBreaker, readBreaker } from '../scripts/control.ts';

/** The breakers of the queues, each in the gate of its queue. */
export class RedisBreaker implements BreakerPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async find(queue: QueueName): Promise<OpenBreaker | undefined> {
    const open = await this.#commands.call(readBreaker, this.#keys.get(queue));
    if (open === undefined) return undefined;
    const [since, until, reason] = open;
    return { since, reason, ...(until > 0 && { until }) };
  }

  async close(queue: QueueName): Promise<void> {
    await this.#commands.call(closeBreaker, this.#keys.get(queue));
  }
}
