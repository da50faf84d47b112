import type { JobOptions } from '../../../domain/job-options.ts';
import { retentionOf, type Retention } from '../../../domain/retention.ts';
import type { FinishedStatus, QueueJobs } from './queue-jobs.ts';
import type { StoredJob } from './stored-job.ts';

/** Ends the job, and keeps of those that ended so as many as it says itself, or else its worker. */
export function finish(
  jobs: QueueJobs,
  job: StoredJob,
  status: FinishedStatus,
  ofWorker: Retention = {},
  now: number,
): void {
  jobs.finish(job, status, now);
  const own = ownRetention(job, status);
  // A job that asks to be removed says nothing of those that stayed before.
  if (own?.count === 0) jobs.discard(job);
  else applyRetention(jobs, status, own ?? ofWorker, now);
}

/** What the job says itself of the jobs that end as it does; undefined when it leaves that to its worker. */
function ownRetention({ opts }: StoredJob, status: FinishedStatus): Retention | undefined {
  const { removeOnComplete, removeOnFail } = JSON.parse(opts) as JobOptions;
  const own = status === 'completed' ? removeOnComplete : removeOnFail;
  return own === undefined ? undefined : retentionOf(own);
}

/** Removes the oldest jobs of a finished status that the rule keeps no longer (WorkerOptions). */
function applyRetention(
  jobs: QueueJobs,
  status: FinishedStatus,
  { count = Infinity, age = Infinity }: Retention,
  now: number,
): void {
  const keptSince = now - age * 1000;
  for (let job = jobs.oldest(status); job !== undefined; job = jobs.oldest(status)) {
    const tooOld = job.finishedOn !== undefined && job.finishedOn <= keptSince;
    if (!tooOld && jobs.count(status) <= count) return;
    jobs.discard(job);
  }
}
