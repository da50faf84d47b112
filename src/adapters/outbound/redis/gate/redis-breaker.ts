import type { BreakerPort } from '../../../../application/ports/breaker-port.ts';
import type { OpenBreaker } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Script } from '../connection/scripts.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { CLOSE_BREAKER, OPEN_REASON, OPEN_SINCE, OPEN_UNTIL } from './breaker-lua.ts';
import { GATE, GATED, STORE_TIME } from './gate-lua.ts';

/**
 * KEYS: metadata. ARGV: what stands before the queue's keys. Answers nothing, or since when (epoch ms) the breaker is
 * open, until when no call starts, or 0 when that is over, and why.
 */
const readBreakerScript: Script = {
  name: 'readBreaker',
  numberOfKeys: 1,
  lua: `
local rcall = redis.call
${STORE_TIME}
if rcall("HEXISTS", KEYS[1], "${GATED}") == 0 then return false end
local open = rcall("HMGET", ARGV[1] .. "${GATE}", "${OPEN_UNTIL}", "${OPEN_SINCE}", "${OPEN_REASON}")
if not open[1] then return false end
return {tonumber(open[2]), tonumber(open[1]) > storeTime() and tonumber(open[1]) or 0, open[3]}
`,
};

/** KEYS: metadata. ARGV: what stands before the queue's keys. */
const closeBreakerScript: Script = {
  name: 'closeBreaker',
  numberOfKeys: 1,
  lua: `
local rcall = redis.call
${CLOSE_BREAKER}
if rcall("HEXISTS", KEYS[1], "${GATED}") == 1 then closeBreaker(ARGV[1]) end
`,
};

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
