import { SortedTree } from './sorted-tree.ts';
import type { StoredJob } from './stored-job.ts';

/** The jobs of a queue that have a time of some kind, the earliest first. */
export class JobsByTime {
  readonly #jobs = new SortedTree<readonly [time: number, id: string], StoredJob>(
    undefined,
    ([at, id], [otherAt, otherId]) => at - otherAt || (id < otherId ? -1 : Number(id > otherId)),
  );
  readonly #timeOf: (job: StoredJob) => number | undefined;

  /** @param timeOf returns the time (epoch ms) of a job; undefined for one without. */
  constructor(timeOf: (job: StoredJob) => number | undefined) {
    this.#timeOf = timeOf;
  }

  /** Does nothing for a job without a time. */
  add(job: StoredJob): void {
    const time = this.#timeOf(job);
    if (time !== undefined) this.#jobs.set([time, job.id], job);
  }

  /** To be called before the time of the job changes. */
  remove(job: StoredJob): void {
    const time = this.#timeOf(job);
    if (time !== undefined) this.#jobs.delete([time, job.id]);
  }

  /** The first job, unless its time is after `most`. */
  first(most = Infinity): StoredJob | undefined {
    const key = this.#jobs.minKey();
    return key !== undefined && key[0] <= most ? this.#jobs.get(key) : undefined;
  }
}
