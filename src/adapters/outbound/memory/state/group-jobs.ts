import type { ListPosition } from './job-list.ts';
import { isStored, type ListedJob } from './listed-job.ts';
import { SortedTree } from './sorted-tree.ts';
import type { StoredJob } from './stored-job.ts';

/**
 * The rank of jobs without a priority. Jobs that fell due rank below it, by due time; jobs with a priority rank above.
 */
const UNRANKED = 0;

/** Above any due time (epoch ms). */
const BEYOND_TIME = Number.MAX_SAFE_INTEGER;

/**
 * The waiting jobs of one group in the order in which they start. A job keeps its place while it runs, so no number is
 * given out twice, even if the group was forgotten in the meantime.
 */
export class GroupJobs {
  readonly #jobs = new SortedTree<ListPosition, StoredJob>(
    undefined,
    (a, b) => a.rank - b.rank || a.order - b.order,
  );
  readonly #nextNumber: () => number;

  /** @param nextNumber returns a greater number each time, across all groups of the queue. */
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

  /** Puts the job where it was when its record was written. */
  restore(job: StoredJob, position: ListPosition): void {
    this.#put(job, position);
  }

  /** Puts the job behind those of its priority, or ahead of them. */
  put(job: StoredJob, priority: number, end: 'head' | 'tail'): void {
    const number = this.#nextNumber();
    this.#put(job, { rank: UNRANKED + priority, order: end === 'head' ? -number : number });
  }

  /** Puts the job ahead of those that did not fall due, in the order of the due times. */
  putDue(job: StoredJob, dueAt: number): void {
    this.#put(job, { rank: dueAt - BEYOND_TIME, order: this.#nextNumber() });
  }

  /** Puts the job ahead of all others, including those that fell due. */
  putFirst(job: StoredJob): void {
    this.#put(job, { rank: -BEYOND_TIME, order: -this.#nextNumber() });
  }

  /** Puts the job back where it was taken. */
  putBack(job: StoredJob): void {
    if (job.groupPosition === undefined) this.put(job, job.priority, 'head');
    else this.#put(job, job.groupPosition);
  }

  remove(job: ListedJob): void {
    if (
      isStored(job) &&
      job.groupPosition !== undefined &&
      this.#jobs.get(job.groupPosition) === job
    ) {
      this.#jobs.delete(job.groupPosition);
    }
  }

  #put(job: StoredJob, position: ListPosition): void {
    job.groupPosition = position;
    this.#jobs.set(position, job);
  }
}
