import { expiredReason } from '../attempts/expiry.ts';
import type { FailedJob } from '../jobs/failures.ts';
import { optionsOf, type IndexedJob, type JobRecord } from '../records/job-record.ts';
import { finish } from './finish.ts';
import { blockGroup } from './groups/blocking.ts';
import type { QueueState } from './queue-state.ts';

/**
 * Fails jobs that did not start in time. @returns up to `most` of them, those that claims failed and that are kept
 * first.
 */
export function expire(queue: QueueState, most: number, now: number): readonly FailedJob[] {
  const { jobs } = queue;
  const failed: FailedJob[] = [];
  for (const { id, reason, at } of jobs.failedByClaims.take(most)) {
    const job = jobs.find(id);
    if (job?.status === 'failed' && job.finishedOn === at) failed.push({ id, reason });
  }
  while (failed.length < most) {
    const job = jobs.expired(now);
    if (job === undefined || !jobs.isAtHand(job)) break;
    failed.push(failExpired(queue, jobs.whole(job), now));
  }
  return failed;
}

/** Fails a job that did not start in time. */
export function failExpired(queue: QueueState, job: JobRecord, now: number): FailedJob {
  const reason = expiredReason(optionsOf(job).ttl);
  queue.jobs.write(job, { failedReason: reason, delay: 0 });
  finish(queue, job, 'job.expired', {}, now);
  blockGroupOfKept(queue, job);
  return { id: job.id, reason };
}

/** A job that failed for good blocks its group if the group's order says so and the job is kept. */
export function blockGroupOfKept(queue: QueueState, job: IndexedJob): void {
  if (queue.jobs.find(job.id) === job) blockGroup(queue, job);
}
