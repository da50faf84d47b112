import type { HookState } from '../../domain/hooks/hook-state.ts';
import type { CollectionPort } from '../ports/collection-port.ts';
import type { Collection } from './collection.ts';

/**
 * What hooks have reported, by their ids, for whichever replica looks next. A state stays until it is removed, whether or
 * not its hook exists.
 */
export type KeptHookStates = CollectionPort<HookState>;

export const HOOK_STATES: Collection<HookState> = {
  kind: 'hook-state',
  key: 'hook-states',
  put: 'grows',
};
