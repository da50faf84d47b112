import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { awaitedKeys } from '../../../../domain/steps/suspension.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import type { StoredJob } from './stored-job.ts';

const RESTING: readonly (JobState | undefined)[] = ['delayed', 'waiting-children'];

const NONE: ReadonlySet<StoredJob> = new Set();

/** The suspended jobs of one queue, and the signals that they await. */
export class SuspendedJobs {
  #resting = 0;
  /** By the keys of signals, those that wait longest first. */
  readonly #waiting = new Map<string, Set<StoredJob>>();

  /** How many rest: those that fell due, or were woken, may be among them until they are claimed. */
  get resting(): number {
    return this.#resting;
  }

  /** The keys of the signals that jobs wait for. */
  get keys(): Iterable<string> {
    return this.#waiting.keys();
  }

  waitingFor(key: string): ReadonlySet<StoredJob> {
    return this.#waiting.get(key) ?? NONE;
  }

  add(job: StoredJob): void {
    if (job.suspension === undefined) return;
    if (RESTING.includes(job.status)) this.#resting += 1;
    for (const key of awaitedKeys(job.suspension.waits)) {
      keptOrMade(this.#waiting, key, () => new Set()).add(job);
    }
  }

  remove(job: StoredJob): void {
    if (job.suspension === undefined) return;
    if (RESTING.includes(job.status)) this.#resting -= 1;
    for (const key of awaitedKeys(job.suspension.waits)) {
      const jobs = this.#waiting.get(key);
      jobs?.delete(job);
      if (jobs?.size === 0) this.#waiting.delete(key);
    }
  }
}
