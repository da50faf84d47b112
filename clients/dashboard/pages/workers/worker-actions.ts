import { apiPath } from '../../api/request.ts';
import type { Action } from '../../parts/action.tsx';

export function enabling(queue: string, after?: () => void): Action {
  return {
    label: 'Enable',
    right: 'operate',
    request: { method: 'POST', path: apiPath('workers', queue, 'enable') },
    undo: { method: 'POST', path: apiPath('workers', queue, 'disable') },
    done: `The worker of ${queue} is called again`,
    after,
  };
}

export function disabling(queue: string, after?: () => void): Action {
  return {
    label: 'Disable',
    right: 'operate',
    request: { method: 'POST', path: apiPath('workers', queue, 'disable') },
    undo: { method: 'POST', path: apiPath('workers', queue, 'enable') },
    done: `The worker of ${queue} is disabled`,
    after,
  };
}
