import type { BreakerPort } from '../../../../application/ports/breaker-port.ts';
import type { OpenBreaker } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { luaScript } from '../lua/load.ts';

const closeBreakerScript = luaScript('close-breaker');
const readBreakerScript = luaScript('read-breaker');

/** The breakers of the queues, each in the gate of its queue. */
export class RedisBreaker implements BreakerPort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async find(queue: QueueName): Promise<OpenBreaker | undefined> {
    const { meta, jobPrefix } = this.#keys.get(queue);
    const answer = await this.#commands.scripts.run(readBreakerScript, [meta], [jobPrefix]);
    if (!Array.isArray(answer)) return undefined;
    const [since, until, reason] = answer as [number, number, string];
    return { since, reason, ...(until > 0 && { until }) };
  }

  async close(queue: QueueName): Promise<void> {
    const { meta, jobPrefix } = this.#keys.get(queue);
    await this.#commands.scripts.run(closeBreakerScript, [meta], [jobPrefix]);
  }
}
