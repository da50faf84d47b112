import type { ListPosition } from './job-list.ts';
import { SortedTree } from './sorted-tree.ts';
import type { StoredJob } from './stored-job.ts';

/** The rank of jobs without a priority; those that fell due rank below it, by that time, and the others above. */
const UNRANKED = 0;

/** Above any due time (epoch ms). */
const BEYOND_TIME = Number.MAX_SAFE_INTEGER;

/**
 * The waiting jobs of one group in the order in which they start. A job keeps its place while it runs, so no number is
 * given twice, also not after the group was forgotten meanwhile.
 */
export class GroupJobs {
  readonly #jobs = new SortedTree<ListPosition, StoredJob>(
    undefined,
    (a, b) => a.rank - b.rank || a.order - b.order,
  );
  readonly #nextNumber: () => number;

  /** @param nextNumber greater each time, over all groups of the queue. */
  constructor(nextNumber: () => number) {
    this.#nextNumber = nextNumber;
  }

  get size(): number {
    return this.#jobs.size;
  }

  first(): StoredJob | undefined {
    const position = this.#jobs.minKey();
    return position && this.#jobs.get(position);
  }

  /** Behind those of its priority, or ahead of them. */
  put(job: StoredJob, priority: number, end: 'head' | 'tail'): void {
    const number = this.#nextNumber();
    this.#put(job, { rank: UNRANKED + priority, order: end === 'head' ? -number : number });
  }

  /** Ahead of the jobs that did not fall due, in the order of those times. */
  putDue(job: StoredJob, dueAt: number): void {
    this.#put(job, { rank: dueAt - BEYOND_TIME, order: this.#nextNumber() });
  }

  /** Ahead of all others, also of those that fell due. */
  putFirst(job: StoredJob): void {
    this.#put(job, { rank: -BEYOND_TIME, order: -this.#nextNumber() });
  }

  /** Where it was taken. */
  putBack(job: StoredJob): void {
    if (job.groupPosition === undefined) this.put(job, job.priority, 'head');
    else this.#put(job, job.groupPosition);
  }

  remove(job: StoredJob): void {
    if (job.groupPosition !== undefined && this.#jobs.get(job.groupPosition) === job) {
      this.#jobs.delete(job.groupPosition);
    }
  }

  #put(job: StoredJob, position: ListPosition): void {
    job.groupPosition = position;
    this.#jobs.set(position, job);
  }
}
