import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { awaitedKeys } from '../../../../domain/steps/suspension.ts';
import type { StoredJob } from './stored-job.ts';

const RESTING: readonly (JobState | undefined)[] = ['delayed', 'waiting-children'];

/** The suspended jobs of one queue, and the signals that they await. */
export class SuspendedJobs {
  #resting = 0;
  /** By the keys of signals, those that wait longest first. */
  readonly #waiting = new Map<string, Set<StoredJob>>();

  /** How many rest: those that fell due, or were woken, may be among them until they are claimed. */
  get resting(): number {
    return this.#resting;
  }

  waitingFor(key: string, most: number): readonly StoredJob[] {
    const found: StoredJob[] = [];
    for (const job of this.#waiting.get(key) ?? []) {
      if (found.length === most) break;
      found.push(job);
    }
    return found;
  }

  countWaitingFor(key: string): number {
    return this.#waiting.get(key)?.size ?? 0;
  }

  /** How many jobs wait for each key. */
  get waiting(): ReadonlyMap<string, ReadonlySet<StoredJob>> {
    return this.#waiting;
  }

  add(job: StoredJob): void {
    if (job.suspension === undefined) return;
    if (RESTING.includes(job.status)) this.#resting += 1;
    for (const key of awaitedKeys(job.suspension)) {
      const jobs = this.#waiting.get(key) ?? new Set();
      this.#waiting.set(key, jobs.add(job));
    }
  }

  remove(job: StoredJob): void {
    if (job.suspension === undefined) return;
    if (RESTING.includes(job.status)) this.#resting -= 1;
    for (const key of awaitedKeys(job.suspension)) {
      const jobs = this.#waiting.get(key);
      jobs?.delete(job);
      if (jobs?.size === 0) this.#waiting.delete(key);
    }
  }
}
