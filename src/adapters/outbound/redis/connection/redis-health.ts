import { isStoreUnavailable, PublicCause, storeUnavailable } from '../../../../domain/errors.ts';
import type { StoreHealthPort } from '../../../../application/ports/store-health-port.ts';
import { publicMessage } from './failure-log.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { Script, Scripts } from './scripts.ts';

/**
 * A replica would answer a ping too, and so would a master that has lost its replicas or its disk and refuses every
 * write. Deleting a key that never existed is a write that changes nothing, and that a store without free memory still
 * accepts. ARGV: commands that the user needs; servers before 7 cannot report them.
 */
const checkHealthScript: Script = {
  name: 'checkHealth',
  numberOfKeys: 1,
  lua: `
if redis.acl_check_cmd then
  for _, command in ipairs(ARGV) do
    if not redis.acl_check_cmd(command, KEYS[1]) then
      return redis.error_reply("NOPERM this user has no permissions to run the '" .. command .. "' command")
    end
  end
end
return redis.call("DEL", KEYS[1])
`,
};

export class RedisHealth implements StoreHealthPort {
  readonly #scripts: Scripts;
  readonly #key: string;
  readonly #needed: readonly string[];

  /**
   * @param prefix of the queues' keys.
   * @param needed the script without which the store is of no use.
   */
  constructor(scripts: Scripts, prefix: string, needed: Script) {
    this.#scripts = scripts;
    this.#key = ownKey(prefix, 'health');
    this.#needed = commandsOf(needed);
  }

  async check(): Promise<void> {
    try {
      await this.#scripts.run(checkHealthScript, [this.#key], this.#needed);
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      throw storeUnavailable(new PublicCause(publicReason(error.cause)));
    }
  }
}

/** Readiness is checked without a token: it names no address. */
function publicReason(cause: unknown): string {
  const { syscall, code } = cause as { readonly syscall?: unknown; readonly code?: unknown };
  return typeof syscall === 'string' ? `${syscall} ${String(code)}` : publicMessage(cause);
}

function commandsOf({ lua }: Script): readonly string[] {
  const calls = lua.matchAll(/\bcall\("([A-Z]+)"/g);
  return [...new Set(Array.from(calls, ([, command = '']) => command.toLowerCase()))];
}
