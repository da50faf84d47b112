import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import {
  MOST_REMOVED_FOR_AGE,
  removesItself,
  retentionFor,
} from '../../../../domain/attempts/retention.ts';
import type { Retention } from '../../../../domain/jobs/job-retention.ts';
import type { FinishedStatus, QueueJobs } from './queue-jobs.ts';
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
  const { removeOnComplete, removeOnFail } = JSON.parse(job.opts) as JobOptions;
  const own = status === 'completed' ? removeOnComplete : removeOnFail;
  const rule = retentionFor(own, ofWorker);
  if (removesItself(rule)) jobs.discard(job);
  else removeOthers(jobs, status, rule, now);
}

/** Removes the jobs of a finished status that the rule (WorkerOptions) no longer keeps. */
function removeOthers(
  jobs: QueueJobs,
  status: FinishedStatus,
  { count, age }: Retention,
  now: number,
): void {
  if (age !== undefined) {
    const tooOld = jobs.finishedBy(status, now - age * 1000);
    for (const job of tooOld.slice(-MOST_REMOVED_FOR_AGE)) jobs.discard(job);
  }
  if (count === undefined) return;
  for (
    let job = jobs.oldest(status);
    job && jobs.count(status) > count;
    job = jobs.oldest(status)
  ) {
    jobs.discard(job);
  }
}
