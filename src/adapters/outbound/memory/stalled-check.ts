import type { Retention } from '../../../domain/worker-options.ts';
import { isLocked, unlock, type Attempts } from './attempts.ts';
import type { QueueJobs } from './queue-jobs.ts';

const STALLED_REASON = 'job stalled more than allowable limit';

/**
 * Finds the jobs whose attempts are gone. A missing lock alone proves nothing, since its holder may
 * be about to renew it: only a job that was active at the check before, and still has none, stalled.
 */
export class StalledCheck {
  readonly #jobs: QueueJobs;
  readonly #attempts: Attempts;
  #nextAt = 0;

  constructor(jobs: QueueJobs, attempts: Attempts) {
    this.#jobs = jobs;
    this.#attempts = attempts;
  }

  run(
    maxStalledCount: number,
    interval: number,
    keep: Retention | undefined,
    now: number,
  ): readonly string[] {
    if (now < this.#nextAt) return [];
    this.#nextAt = now + interval;
    // The latest started comes first, so the one that started before all others ends up at the head.
    const stalled = this.#jobs.active().filter((job) => job.suspect && !isLocked(job, now));
    for (const job of stalled) {
      job.stalledCount += 1;
      unlock(job);
      if (job.stalledCount > maxStalledCount) this.#attempts.fail(job, STALLED_REASON, keep, now);
      else this.#jobs.putFirst(job);
    }
    for (const job of this.#jobs.active()) job.suspect = true;
    return stalled.map(({ id }) => id);
  }
}
