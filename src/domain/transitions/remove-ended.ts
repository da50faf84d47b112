import type { EndedState } from '../jobs/job-status.ts';
import { beyondRetention, type RetentionPolicy } from '../policies/retention-policy.ts';
import type { QueueState } from './queue-state.ts';
import { discard, recordsOf } from './removal.ts';

const STATES: readonly EndedState[] = ['completed', 'failed'];

/** How much one step removes. */
export interface RemovedRoom {
  readonly jobs: number;
  /** Of these jobs and their steps. */
  readonly records: number;
}

/**
 * Removes jobs that ended, the oldest of each state first, that the retention of the queue does not keep, until it has
 * removed as many jobs or records as it may; the last job goes with all of its records. @returns how many it removed.
 */
export function removeEnded(
  queue: QueueState,
  retention: RetentionPolicy,
  most: RemovedRoom,
  now: number,
): RemovedRoom {
  let [jobs, records] = [0, 0];
  for (const state of STATES) {
    const beyond = beyondRetention(retention, state, now);
    if (beyond === undefined) continue;
    const { endedBy = -Infinity, downTo = Infinity } = beyond;
    while (jobs < most.jobs && records < most.records) {
      const oldest = queue.jobs.oldestEnded(state);
      if (oldest === undefined) break;
      const { finishedOn = now } = oldest;
      if (finishedOn > endedBy && queue.jobs.in[state].size <= downTo) break;
      discard(queue, oldest, now);
      jobs += 1;
      records += recordsOf(oldest);
    }
  }
  return { jobs, records };
}
