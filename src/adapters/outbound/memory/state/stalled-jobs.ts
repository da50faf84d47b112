import { afterStall, type StalledCheck } from '../../../../domain/attempts/stalled.ts';
import { isLocked, recordTaken, unlock } from './attempts.ts';
import type { CallsOfSeveral } from './calls-of-several.ts';
import type { QueueJobs } from './queue-jobs.ts';

/**
 * Finds the jobs that no attempt holds any more. A missing lock alone proves nothing, since its holder may be about
 * to renew it. A job has stalled when it had no lock at the check before and has had none since.
 */
export class StalledJobs {
  readonly #jobs: QueueJobs;
  readonly #calls: CallsOfSeveral;
  readonly #grace: number;
  /** When (epoch ms) the next check counts. */
  nextAt = 0;

  constructor(jobs: QueueJobs, calls: CallsOfSeveral, grace: number) {
    this.#jobs = jobs;
    this.#calls = calls;
    this.#grace = grace;
  }

  /** Puts back the jobs that stalled. A check within the grace period of the previous one finds none. */
  recover(maxStalledCount: number, now: number): StalledCheck {
    if (now < this.nextAt) return { stalled: [] };
    this.nextAt = now + this.#grace;
    // The job that started last is put back first, so the one that started before all others ends up at the head.
    const stalled = this.#jobs.listed.active().filter((job) => job.suspect && !isLocked(job, now));
    for (const job of stalled) {
      if (job.mustFail === undefined) recordTaken(job, { outcome: 'stalled' }, this.#calls, now);
      unlock(job);
      Object.assign(job, afterStall(job.stalledCount, maxStalledCount));
      this.#jobs.putFirst(job);
      this.#jobs.events.record('stalled', job.id);
    }
    const suspects = this.#jobs.listed.active().filter((job) => !isLocked(job, now));
    for (const job of suspects) {
      job.suspect = true;
      this.#jobs.changed(job);
    }
    const check = { stalled: stalled.map(({ id }) => id) };
    return suspects.length > 0 ? { ...check, checkAgainAt: this.nextAt } : check;
  }
}
