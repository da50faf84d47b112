import type { Hook } from '../../domain/hooks/hook.ts';
import type { Natures } from './nature.ts';

export type HookChange = (hook: Hook | undefined) => Hook | undefined;

/**
 * Stores the hooks; this record is authoritative, and every replica applies it. Methods throw DomainError
 * `store-unavailable` when the store cannot be reached.
 */
export interface HookStorePort {
  /**
   * All hooks in no particular order; invalid records are left out. A hook that has not changed since they were last
   * read so is the same object.
   */
  all(): Promise<readonly Hook[]>;

  find(id: string): Promise<Hook | undefined>;

  /**
   * Changes or makes a hook in one step: no other change comes in between. `change` gets undefined if there is none,
   * returns undefined to leave it unchanged, and may be called several times. Its errors are passed on, and the hook
   * then stays unchanged.
   *
   * @returns the hook after the change; undefined when there is none.
   * @throws DomainError `too-many-hooks` for a new one when there are as many as there may be.
   */
  change(id: string, change: HookChange): Promise<Hook | undefined>;

  /** @returns false when there was none. */
  remove(id: string): Promise<boolean>;
}

export const HOOK_NATURES: Natures<HookStorePort> = {
  all: 'looks',
  find: 'looks',
  change: 'enlarges',
  remove: 'changes',
};
