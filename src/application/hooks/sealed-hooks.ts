import type { Hook } from '../../domain/hooks/hook.ts';
import { unreadableReason } from '../../domain/values/secret-text.ts';
import { without } from '../../domain/values/without.ts';
import type { HookChange, HookStorePort } from '../ports/hook-store-port.ts';
import type { Sealing } from '../secrets/sealing.ts';

/**
 * The stored hooks, whose secrets another store keeps encrypted. A hook with a secret that cannot be decrypted here says
 * so, while all others continue; its record stays unchanged.
 */
export class SealedHooks implements HookStorePort {
  readonly #kept: HookStorePort;
  readonly #sealing: Sealing<Hook>;
  /** Keyed by the stored object, since a store returns the same object for an unchanged record. */
  readonly #opened = new WeakMap<Hook, Hook>();

  constructor(kept: HookStorePort, sealing: Sealing<Hook>) {
    this.#kept = kept;
    this.#sealing = sealing;
  }

  async all(): Promise<readonly Hook[]> {
    return (await this.#kept.all()).map((kept) => this.#open(kept));
  }

  async find(id: string): Promise<Hook | undefined> {
    const kept = await this.#kept.find(id);
    return kept && this.#open(kept);
  }

  async change(id: string, change: HookChange): Promise<Hook | undefined> {
    const changed = await this.#kept.change(id, (kept) => {
      const hook = change(kept && this.#open(kept));
      if (hook === undefined) return undefined;
      if (hook.unreadable === undefined) return this.#sealing.sealed(hook);
      return without(hook, 'unreadable');
    });
    return changed && this.#open(changed);
  }

  remove(id: string): Promise<boolean> {
    return this.#kept.remove(id);
  }

  #open(kept: Hook): Hook {
    const known = this.#opened.get(kept);
    if (known !== undefined) return known;
    const problem = this.#sealing.unreadable(kept);
    const hook =
      problem === undefined
        ? this.#sealing.opened(kept)
        : { ...kept, unreadable: unreadableReason(problem) };
    this.#opened.set(kept, hook);
    return hook;
  }
}
