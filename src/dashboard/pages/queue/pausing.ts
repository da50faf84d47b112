import { apiPath } from '../../api/request.ts';
import type { Action } from '../../parts/action.tsx';

export function pausing(queue: string, after?: () => void): Action {
  return {
    label: 'Pause',
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'pause') },
    undo: { method: 'POST', path: apiPath('queues', queue, 'resume') },
    done: `${queue} is paused`,
    after,
  };
}

export function resuming(queue: string, after?: () => void): Action {
  return {
    label: 'Resume',
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'resume') },
    undo: { method: 'POST', path: apiPath('queues', queue, 'pause') },
    done: `${queue} goes on`,
    after,
  };
}
