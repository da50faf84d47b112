import { SortedTree } from './sorted-tree.ts';
import type { StoredJob } from './stored-job.ts';

/** The jobs of a queue that were accepted and are held by their acceptance, by the time of their next check. */
export class AcceptedJobs {
  readonly #jobs = new SortedTree<readonly [checkedAt: number, id: string], StoredJob>(
    undefined,
    ([at, id], [otherAt, otherId]) => at - otherAt || (id < otherId ? -1 : Number(id > otherId)),
  );

  /** Does nothing for another job. */
  add(job: StoredJob): void {
    const { lock, acceptance } = job;
    if (acceptance === undefined || lock?.token !== acceptance.token) return;
    const { until, foundUntil = until } = acceptance;
    this.#jobs.set([foundUntil, job.id], job);
  }

  /** To be called before the acceptance of the job changes. */
  remove({ id, acceptance }: StoredJob): void {
    if (acceptance === undefined) return;
    const { until, foundUntil = until } = acceptance;
    this.#jobs.delete([foundUntil, id]);
  }

  first(): StoredJob | undefined {
    const key = this.#jobs.minKey();
    return key && this.#jobs.get(key);
  }
}
