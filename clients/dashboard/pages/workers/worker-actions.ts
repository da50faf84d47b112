import { apiPath } from '../../api/request.ts';
import type { Action } from '../../parts/action.tsx';

/** Disables the worker of a queue, or enables it again. */
export function switching(queue: string, isDisabled: boolean, after: () => void): Action {
  const enable = { method: 'POST', path: apiPath('workers', queue, 'enable') } as const;
  const disable = { method: 'POST', path: apiPath('workers', queue, 'disable') } as const;
  return {
    label: isDisabled ? 'Enable' : 'Disable',
    right: 'operate',
    request: isDisabled ? enable : disable,
    undo: isDisabled ? disable : enable,
    done: `The worker of ${queue} is ${isDisabled ? 'called again' : 'disabled'}`,
    after,
  };
}
