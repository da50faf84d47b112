import type { Retention } from '../../../domain/worker-options.ts';
import type { FinishedStatus, QueueJobs } from './queue-jobs.ts';

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
