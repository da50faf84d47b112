import type { EndedState } from '../jobs/job-status.ts';
import { beyondRetention, type RetentionPolicy } from '../policies/retention-policy.ts';
import type { QueueState } from './queue-state.ts';
import { discard } from './removal.ts';

const STATES: readonly EndedState[] = ['completed', 'failed'];

/**
 * Removes up to `most` of the jobs that ended, the oldest of each state first, that the retention of the queue does not
 * keep. @returns how many it removed.
 */
export function removeEnded(
  queue: QueueState,
  retention: RetentionPolicy,
  most: number,
  now: number,
): number {
  let removed = 0;
  for (const state of STATES) {
    const beyond = beyondRetention(retention, state, now);
    if (beyond === undefined) continue;
    const { endedBy = -Infinity, downTo = Infinity } = beyond;
    while (removed < most) {
      const oldest = queue.jobs.oldestEnded(state);
      if (oldest === undefined) break;
      const { finishedOn = now } = oldest;
      if (finishedOn > endedBy && queue.jobs.in[state].size <= downTo) break;
      discard(queue, oldest, now);
      removed += 1;
    }
  }
  return removed;
}
