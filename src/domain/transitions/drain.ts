import type { UnstartedStatus } from '../attempts/order.ts';
import type { ListedJob } from '../records/job-record.ts';
import type { QueueState } from './queue-state.ts';
import { remove } from './removal.ts';
import { isNextOfScheduler } from './schedule.ts';

/**
 * Removes those of the jobs that still have the status, but no next one of a scheduler, and the parents in this queue
 * that have no child left to wait for. @returns how many were removed.
 */
export function drain(
  queue: QueueState,
  jobs: readonly ListedJob[],
  status: UnstartedStatus,
  now: number,
): number {
  const parents = queue.jobs.in['waiting-children'];
  const before = parents.size;
  let removed = 0;
  for (const job of jobs) {
    // An earlier one may have taken it along.
    const isThere = queue.jobs.find(job.id) === job && job.status === status;
    if (!isThere || isNextOfScheduler(queue, job)) continue;
    remove(queue, job, now, true);
    removed += 1;
  }
  return removed + before - parents.size;
}
