import type {
  HookStateChange,
  HookStatePort,
} from '../../../../application/ports/hook-state-port.ts';
import type { HookState } from '../../../../domain/hooks/hook-state.ts';
import { isFirstWithin } from '../connection/first-within.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { luaScript } from '../lua/load.ts';

const replaceRecordScript = luaScript('replace-record');

/** Hooks are bounded, and a state whose hook is gone is removed by the next look. */
const MOST_STATES = Number.MAX_SAFE_INTEGER;

/** The states of hooks in one hash, with a field for each, and a key that exists while nobody is to look. */
export class RedisHookStates implements HookStatePort {
  readonly #commands: StoreCommands;
  readonly #states: string;
  readonly #look: string;

  constructor(commands: StoreCommands, prefix: string) {
    this.#commands = commands;
    this.#states = ownKey(prefix, 'hook-states');
    this.#look = ownKey(prefix, 'hook-look');
  }

  claimLook(interval: number): Promise<boolean> {
    return isFirstWithin(this.#commands, this.#look, interval);
  }

  ids(): Promise<readonly string[]> {
    return this.#run((client) => client.hkeys(this.#states));
  }

  async find(id: string): Promise<HookState | undefined> {
    return stateOfRecord(await this.#record(id));
  }

  async change(id: string, change: HookStateChange): Promise<HookState | undefined> {
    for (;;) {
      const before = await this.#record(id);
      const state = stateOfRecord(before);
      const changed = change(state);
      if (changed === undefined) return state;
      const args = [id, before, JSON.stringify(changed), MOST_STATES];
      const replaced = await this.#commands.scripts.run(replaceRecordScript, [this.#states], args);
      if (replaced === 1) return changed;
    }
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#run((client) => client.hdel(this.#states, id))) === 1;
  }

  /** Empty when there is none. */
  async #record(id: string): Promise<string> {
    return (await this.#run((client) => client.hget(this.#states, id))) ?? '';
  }

  #run<T>(command: (client: StoreCommands['client']) => Promise<T>): Promise<T> {
    return this.#commands.errors.run(() => command(this.#commands.client));
  }
}

function stateOfRecord(record: string): HookState | undefined {
  return record === '' ? undefined : (JSON.parse(record) as HookState);
}
