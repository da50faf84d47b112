import type { JobOptions } from '../../../domain/job-options.ts';
import { retentionOf, type Retention } from '../../../domain/retention.ts';
import type { FinishedStatus, QueueJobs } from './queue-jobs.ts';
import type { StoredJob } from './stored-job.ts';

/** What the job says itself of the jobs that end as it does; undefined when it leaves that to its worker. */
export function ownRetention({ opts }: StoredJob, status: FinishedStatus): Retention | undefined {
  const { removeOnComplete, removeOnFail } = JSON.parse(opts) as JobOptions;
  const own = status === 'completed' ? removeOnComplete : removeOnFail;
  return own === undefined ? undefined : retentionOf(own);
}

/** Removes the oldest jobs of a finished status that the rule keeps no longer (WorkerOptions). */
export function applyRetention(
  jobs: QueueJobs,
  status: FinishedStatus,
  { count = Infinity, age = Infinity }: Retention,
  now: number,
): void {
  const keptSince = now - age * 1000;
  for (let job = jobs.oldest(status); job !== undefined; job = jobs.oldest(status)) {
    const tooOld = job.finishedOn !== undefined && job.finishedOn <= keptSince;
    if (!tooOld && jobs.count(status) <= count) return;
    jobs.remove(job);
  }
}
