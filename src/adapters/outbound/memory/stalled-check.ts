import type {
  StalledCheckRequest,
  StalledCheckResult,
} from '../../../application/ports/job-consumer-port.ts';
import { isLocked, unlock } from './attempts.ts';
import type { QueueJobs } from './queue-jobs.ts';

const STALLED_REASON = 'job stalled more than allowable limit';

/**
 * Finds the jobs whose attempts are gone. A missing lock alone proves nothing, since its holder may
 * be about to renew it: only a job that had none at the check before, and still has none, stalled.
 */
export class StalledCheck {
  readonly #jobs: QueueJobs;
  #nextAt = 0;

  constructor(jobs: QueueJobs) {
    this.#jobs = jobs;
  }

  run({ maxStalledCount, interval, grace }: StalledCheckRequest, now: number): StalledCheckResult {
    if (now < this.#nextAt) return { stalled: [], suspected: false };
    // The latest started comes first, so the one that started before all others ends up at the head.
    const stalled = this.#jobs.active().filter((job) => job.suspect && !isLocked(job, now));
    for (const job of stalled) {
      job.stalledCount += 1;
      unlock(job);
      if (job.stalledCount > maxStalledCount) job.mustFail = STALLED_REASON;
      this.#jobs.putFirst(job);
    }
    const suspects = this.#jobs.active().filter((job) => !isLocked(job, now));
    for (const job of suspects) job.suspect = true;
    const suspected = suspects.length > 0;
    this.#nextAt = now + (suspected ? Math.min(grace, interval) : interval);
    return { stalled: stalled.map(({ id }) => id), suspected };
  }
}
