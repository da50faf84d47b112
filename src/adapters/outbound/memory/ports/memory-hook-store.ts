/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { HookChange, HookStorePort } from '../../../../application/ports/hook-store-port.ts';
import { tooManyHooks } from '../../../../domain/errors.ts';
import { MOST_HOOKS, type Hook } from '../../../../domain/hooks/hook.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import { StoreRecords } from '../records/store-records.ts';

/** Hooks in the memory of this process. A record is replaced, never changed. */
export class MemoryHookStore implements HookStorePort {
  readonly #hooks: KeyedRecords<Hook>;

  constructor(records = new StoreRecords()) {
    this.#hooks = records.map('hook');
  }

  async all(): Promise<readonly Hook[]> {
    return [...this.#hooks.values()];
  }

  async find(id: string): Promise<Hook | undefined> {
    return this.#hooks.find(id);
  }

  async change(id: string, change: HookChange): Promise<Hook | undefined> {
    const stored = this.#hooks.find(id);
    const changed = change(stored);
    if (changed === undefined) return stored;
    if (stored === undefined && this.#hooks.size >= MOST_HOOKS) throw tooManyHooks(MOST_HOOKS);
    this.#hooks.put(id, structuredClone(changed));
    return this.#hooks.find(id);
  }

  async remove(id: string): Promise<boolean> {
    return this.#hooks.remove(id);
  }
}
