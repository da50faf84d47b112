import { isStoreUnavailable, PublicCause, storeUnavailable } from '../../../../domain/errors.ts';
import type {
  StoreHealthPort,
  StoreMemory,
} from '../../../../application/ports/store-health-port.ts';
import { publicMessage } from './failure-log.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';
import { checkHealth, readMemory } from '../scripts/reading.ts';
import type { Script } from '../lua/script.ts';
import type { Scripts } from './scripts.ts';

/** The commands of a script without which the store is useless. */
const NEEDED = commandsOf(luaScript('adds/add-jobs'));

export class RedisHealth implements StoreHealthPort {
  readonly #scripts: Scripts;
  readonly #keys: { readonly absent: string };

  /** @param prefix of the queues' keys. */
  constructor(scripts: Scripts, prefix: string) {
    this.#scripts = scripts;
    this.#keys = { absent: ownKey(prefix, 'health') };
  }

  async check(): Promise<void> {
    try {
      await this.#scripts.call(checkHealth, this.#keys, {}, NEEDED);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      throw storeUnavailable(new PublicCause(publicReason(error.cause)));
    }
  }

  async memory(): Promise<StoreMemory | undefined> {
    const answer = await this.#scripts.call(readMemory, this.#keys);
    return answer && { used: answer[0], limit: answer[1] };
  }
}

/** The readiness check needs no token, so its reason names no address. */
function publicReason(cause: unknown): string {
  const { syscall, code } = cause as { readonly syscall?: unknown; readonly code?: unknown };
  return typeof syscall === 'string' ? `${syscall} ${String(code)}` : publicMessage(cause);
}

function commandsOf({ lua }: Script): readonly string[] {
  const calls = lua.matchAll(/\brcall\(["']([A-Z]+)["']/g);
  return [...new Set(Array.from(calls, ([, command = '']) => command.toLowerCase()))];
}
