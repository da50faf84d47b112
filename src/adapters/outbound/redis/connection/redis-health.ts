import { isStoreUnavailable, PublicCause, storeUnavailable } from '../../../../domain/errors.ts';
import type {
  StoreHealthPort,
  StoreMemory,
} from '../../../../application/ports/store-health-port.ts';
import { publicMessage } from './failure-log.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';
import type { Script } from '../lua/script.ts';
import type { Scripts } from './scripts.ts';

const checkHealthScript = luaScript('check-health');
const readMemoryScript = luaScript('read-memory');

/** The commands of a script without which the store is useless. */
const NEEDED = commandsOf(luaScript('add-jobs'));

export class RedisHealth implements StoreHealthPort {
  readonly #scripts: Scripts;
  readonly #key: string;

  /** @param prefix of the queues' keys. */
  constructor(scripts: Scripts, prefix: string) {
    this.#scripts = scripts;
    this.#key = ownKey(prefix, 'health');
  }

  async check(): Promise<void> {
    try {
      await this.#scripts.run(checkHealthScript, [this.#key], NEEDED);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      throw storeUnavailable(new PublicCause(publicReason(error.cause)));
    }
  }

  async memory(): Promise<StoreMemory | undefined> {
    const answer = (await this.#scripts.run(readMemoryScript, [this.#key], [])) as
      readonly [used: number, limit: number] | null;
    return answer === null ? undefined : { used: answer[0], limit: answer[1] };
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
