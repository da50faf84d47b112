import { MOST_REMOVED_FOR_AGE, removals } from '../attempts/retention.ts';
import type { JobOptions } from '../jobs/job-options.ts';
import type { Retention } from '../jobs/job-retention.ts';
import type { EndedState } from '../jobs/job-status.ts';
import type { ListedJob } from '../records/job-record.ts';
import type { QueueState } from './queue-state.ts';
import { discard } from './removal.ts';

/** Removes what the retention rule of a job that ended, by its options or else its worker, no longer keeps. */
export function retain(
  queue: QueueState,
  job: ListedJob,
  options: JobOptions,
  status: EndedState,
  ofWorker: Retention | undefined,
  now: number,
): void {
  const { jobs } = queue;
  const removed = removals(status, options, ofWorker, now);
  if (removed.of === 'itself') {
    discard(queue, job, now);
    return;
  }
  const { endedBy, downTo = Infinity } = removed;
  const tooOld = endedBy === undefined ? [] : jobs.endedBy(status, endedBy, MOST_REMOVED_FOR_AGE);
  for (const each of tooOld) discard(queue, each, now);
  while (jobs.in[status].size > downTo) {
    const oldest = jobs.oldestEnded(status);
    if (oldest === undefined) return;
    discard(queue, oldest, now);
  }
}
