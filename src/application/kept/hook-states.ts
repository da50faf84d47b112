import type { HookState } from '../../domain/hooks/hook-state.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';

/**
 * The conditions that hooks have reported, by the ids of the hooks, for the replica that looks next. A state stays until
 * it is removed, whether or not its hook exists.
 */
export type KeptHookStates = CollectionPort<HookState>;

export const HOOK_STATES: Collection<HookState> = {
  kind: 'hook-state',
  key: 'hook-states',
  put: 'grows',
};
