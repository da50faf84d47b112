import { SortedTree } from './sorted-tree.ts';
import type { StoredJob } from './stored-job.ts';

/** The jobs of a queue that have not started and must start in time, by their latest start. */
export class ExpiringJobs {
  readonly #jobs = new SortedTree<readonly [expiresAt: number, id: string], StoredJob>(
    undefined,
    ([at, id], [otherAt, otherId]) => at - otherAt || (id < otherId ? -1 : Number(id > otherId)),
  );

  add(job: StoredJob): void {
    if (job.expiresAt !== undefined) this.#jobs.set([job.expiresAt, job.id], job);
  }

  remove(job: StoredJob): void {
    if (job.expiresAt !== undefined) this.#jobs.delete([job.expiresAt, job.id]);
  }

  /** The first job that did not start in time. */
  first(now: number): StoredJob | undefined {
    const key = this.#jobs.minKey();
    return key !== undefined && key[0] <= now ? this.#jobs.get(key) : undefined;
  }
}
