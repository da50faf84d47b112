import type { BreakerPort } from '../../../../application/ports/breaker-port.ts';
import type { OpenBreaker } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { closeBreaker } from '../scripts/attempts.ts';
import { readBreaker } from '../scripts/reading.ts';

/** The breakers of the queues, each in the gate of its queue. */
export class RedisBreaker implements BreakerPort {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  async find(queue: QueueName): Promise<OpenBreaker | undefined> {
    const open = await this.#store.callOf(queue, readBreaker);
    if (open === undefined) return undefined;
    const [since, until, reason] = open;
    return { since, reason, ...(until > 0 && { until }) };
  }

  async close(queue: QueueName): Promise<void> {
    await this.#store.callOf(queue, closeBreaker);
  }
}
