import type { JobSummary } from '../../../typescript/src/api.ts';
import { apiPath } from '../../api/request.ts';
import type { Action } from '../../parts/action.tsx';

export function isFinished({ state }: JobSummary): boolean {
  return state === 'completed' || state === 'failed';
}

/** Starts a finished job over. */
export function retrying(queue: string, id: string, refresh: () => void): Action {
  return {
    label: 'Retry',
    right: 'operate',
    request: { method: 'POST', path: apiPath('queues', queue, 'jobs', id, 'retry') },
    done: `Job ${id} waits again`,
    after: refresh,
  };
}
