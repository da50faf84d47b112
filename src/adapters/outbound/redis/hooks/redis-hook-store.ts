import type { HookChange, HookStorePort } from '../../../../application/ports/hook-store-port.ts';
import { tooManyHooks } from '../../../../domain/errors.ts';
import { hookOfRecord } from '../../../../domain/hooks/hook-record.ts';
import { MOST_HOOKS, type Hook } from '../../../../domain/hooks/hook.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const replaceRecordScript = luaScript('replace-record');

/** The answer of the script, when a new record would be one too many. */
const TOO_MANY = -1;

/** Hooks in one hash, with a field for each. */
export class RedisHookStore implements HookStorePort {
  readonly #commands: StoreCommands;
  readonly #key: string;
  /** As last read: of many hooks, few change, and each may be large. */
  readonly #read = new Map<string, { readonly record: string; readonly hook: Hook | undefined }>();

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#key = ownKey(prefix, 'hooks');
  }

  async all(): Promise<readonly Hook[]> {
    const records = await this.#commands.readLarge((client) => client.hgetall(this.#key));
    for (const id of this.#read.keys()) if (!Object.hasOwn(records, id)) this.#read.delete(id);
    return Object.entries(records).flatMap(([id, record]) => this.#hookOf(id, record) ?? []);
  }

  async find(id: string): Promise<Hook | undefined> {
    return hookOfRecord(id, await this.#record(id));
  }

  async change(id: string, change: HookChange): Promise<Hook | undefined> {
    for (;;) {
      const before = await this.#record(id);
      const stored = hookOfRecord(id, before);
      const changed = change(stored);
      if (changed === undefined) return stored;
      const args = [id, before, JSON.stringify(changed), MOST_HOOKS];
      const replaced = await this.#commands.scripts.run(replaceRecordScript, [this.#key], args);
      if (replaced === TOO_MANY) throw tooManyHooks(MOST_HOOKS);
      if (replaced === 1) return changed;
    }
  }

  async remove(id: string): Promise<boolean> {
    const { client, errors } = this.#commands;
    return (await errors.run(() => client.hdel(this.#key, id))) === 1;
  }

  #hookOf(id: string, record: string): Hook | undefined {
    const last = this.#read.get(id);
    if (last?.record === record) return last.hook;
    const hook = hookOfRecord(id, record);
    this.#read.set(id, { record, hook });
    return hook;
  }

  /** Empty when there is none. */
  async #record(id: string): Promise<string> {
    const { client, errors } = this.#commands;
    return (await errors.run(() => client.hget(this.#key, id))) ?? '';
  }
}
