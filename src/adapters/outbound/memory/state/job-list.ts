import type { StoredJob } from './stored-job.ts';
import { SortedTree } from './sorted-tree.ts';

/** The position of a job in its list: its rank, and its order among jobs of equal rank. */
export interface ListPosition {
  readonly rank: number;
  readonly order: number;
}

/**
 * The jobs of one status, first to last. Adding, removing and finding the first cost O(log n), so
 * that a long backlog does not slow its queue down.
 */
export class JobList {
  readonly #jobs = new SortedTree<ListPosition, StoredJob>(
    undefined,
    (a, b) => a.rank - b.rank || a.order - b.order,
  );
  #head = 0;
  #tail = 0;

  get size(): number {
    return this.#jobs.size;
  }

  first(): StoredJob | undefined {
    const position = this.#jobs.minKey();
    return position && this.#jobs.get(position);
  }

  last(): StoredJob | undefined {
    const position = this.#jobs.maxKey();
    return position && this.#jobs.get(position);
  }

  firstOf(rank: number): StoredJob | undefined {
    const [position, job] = this.#jobs.getPairOrNextHigher({ rank, order: -Infinity }) ?? [];
    return position?.rank === rank ? job : undefined;
  }

  firstOfLastRank(): StoredJob | undefined {
    const last = this.#jobs.maxKey();
    return last && this.firstOf(last.rank);
  }

  /** Puts the job behind all others of its rank. */
  append(job: StoredJob, rank: number): void {
    this.#tail += 1;
    this.#put(job, { rank, order: this.#tail });
  }

  /** Puts the job ahead of all others of its rank. */
  prepend(job: StoredJob, rank: number): void {
    this.#head -= 1;
    this.#put(job, { rank, order: this.#head });
  }

  remove(job: StoredJob): void {
    if (job.position !== undefined) this.#jobs.delete(job.position);
  }

  /** Puts the job where it was when its record was written; later ones go behind or ahead of it. */
  restore(job: StoredJob, position: ListPosition): void {
    this.#tail = Math.max(this.#tail, position.order);
    this.#head = Math.min(this.#head, position.order);
    this.#put(job, position);
  }

  /** Up to `length` jobs from the first one on. */
  fromFirst(length: number): readonly StoredJob[] {
    const found: StoredJob[] = [];
    for (const [, job] of this.#jobs.entries()) {
      if (found.length >= length) break;
      found.push(job);
    }
    return found;
  }

  /** The jobs from the first one on, up to the first that does not match. */
  fromFirstWhile(matches: (job: StoredJob) => boolean): readonly StoredJob[] {
    const found: StoredJob[] = [];
    for (const [, job] of this.#jobs.entries()) {
      if (!matches(job)) break;
      found.push(job);
    }
    return found;
  }

  /** Up to `length` jobs from the last one back, without the last `skip`. */
  fromLast(skip = 0, length = this.size): readonly StoredJob[] {
    const found: StoredJob[] = [];
    if (length <= 0 || skip >= this.size) return found;
    let passed = 0;
    for (const [, job] of this.#jobs.entriesReversed()) {
      passed += 1;
      if (passed <= skip) continue;
      found.push(job);
      if (found.length === length) break;
    }
    return found;
  }

  /** Up to `length` jobs backwards, from the last one or from the one before a position. */
  before(position: ListPosition | undefined, length: number): readonly StoredJob[] {
    const found: StoredJob[] = [];
    for (const [, job] of this.#jobs.entriesReversed(position, undefined, true)) {
      if (found.push(job) === length) break;
    }
    return found;
  }

  #put(job: StoredJob, position: ListPosition): void {
    job.position = position;
    this.#jobs.set(position, job);
  }
}
