import { MOST_REMOVED_FOR_AGE, removals } from '../../../../domain/attempts/retention.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { Retention } from '../../../../domain/jobs/job-retention.ts';
import type { FinishedStatus } from './job-lists.ts';
import type { QueueJobs } from './queue-jobs.ts';
import type { StoredJob } from './stored-job.ts';

/** Ends the job, then applies its own retention rule, or else that of its worker. */
export function finish(
  jobs: QueueJobs,
  job: StoredJob,
  status: FinishedStatus,
  ofWorker: Retention | undefined,
  now: number,
): void {
  jobs.finish(job, status, now);
  const removed = removals(status, JSON.parse(job.opts) as JobOptions, ofWorker, now);
  if (removed.of === 'itself') {
    jobs.discard(job);
    return;
  }
  const { endedBy, downTo = Infinity } = removed;
  const tooOld = endedBy === undefined ? [] : jobs.listed.finishedBy(status, endedBy);
  for (const each of tooOld.slice(-MOST_REMOVED_FOR_AGE)) jobs.discard(each);
  while (jobs.listed.count(status) > downTo) {
    const oldest = jobs.listed.oldest(status);
    if (oldest === undefined) return;
    jobs.discard(oldest);
  }
}
