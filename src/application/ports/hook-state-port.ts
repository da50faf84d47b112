import type { HookState } from '../../domain/hooks/hook-state.ts';
import type { Natures } from './nature.ts';

export type HookStateChange = (state: HookState | undefined) => HookState | undefined;

/**
 * Stores what hooks have reported, for whichever replica looks next. A state stays until it is removed, whether or not
 * its hook exists. Methods throw DomainError `store-unavailable` when the store cannot be reached.
 */
export interface HookStatePort {
  /** Whether the caller is to look now: true for one caller across all replicas, and then for `interval` ms for none. */
  claimLook(interval: number): Promise<boolean>;

  /** The hooks that have a state, in no particular order. */
  ids(): Promise<readonly string[]>;

  find(id: string): Promise<HookState | undefined>;

  /**
   * Changes or makes the state of a hook in one step: no other change comes in between. `change` gets undefined if there
   * is none, returns undefined to leave it unchanged, and may be called several times.
   *
   * @returns the state after the change; undefined when there is none.
   */
  change(id: string, change: HookStateChange): Promise<HookState | undefined>;

  /** @returns false when there was none. */
  remove(id: string): Promise<boolean>;
}

export const HOOK_STATE_NATURES: Natures<HookStatePort> = {
  claimLook: 'notes',
  ids: 'looks',
  find: 'looks',
  change: 'grows',
  remove: 'changes',
};
