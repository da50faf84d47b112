import { MOST_REMOVED_FOR_AGE, removals } from '../attempts/retention.ts';
import type { JobOptions } from '../jobs/job-options.ts';
import type { Retention } from '../jobs/job-retention.ts';
import type { EndedState } from '../jobs/job-status.ts';
import type { ListedJob } from '../records/job-record.ts';
import type { QueueState } from './queue-state.ts';
import { discard, MOST_REMOVED, recordsOf } from './removal.ts';

/**
 * Removes what the retention rule of a job that ended, by its options or else its worker, no longer keeps. What is more
 * than a step may remove goes with the ends of later jobs.
 */
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
  let records = 0;
  const discardWhole = (each: ListedJob): void => {
    discard(queue, each, now);
    records += recordsOf(each);
  };
  for (const each of tooOld) {
    if (records >= MOST_REMOVED) return;
    discardWhole(each);
  }
  while (jobs.in[status].size > downTo && records < MOST_REMOVED) {
    const oldest = jobs.oldestEnded(status);
    if (oldest === undefined) return;
    discardWhole(oldest);
  }
}
