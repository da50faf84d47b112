import type { StoredJob } from './stored-job.ts';
import { SortedTree } from './sorted-tree.ts';

/** Where a job stands in its list: by rank, and in its order among those of equal rank. */
export interface Place {
  readonly rank: number;
  readonly order: number;
}

/**
 * The jobs of one status, first to last. Adding, removing and finding the first cost O(log n), so
 * that a long backlog does not slow its queue down.
 */
export class JobList {
  readonly #jobs = new SortedTree<Place, StoredJob>(
    undefined,
    (a, b) => a.rank - b.rank || a.order - b.order,
  );
  #head = 0;
  #tail = 0;

  get size(): number {
    return this.#jobs.size;
  }

  first(): StoredJob | undefined {
    const place = this.#jobs.minKey();
    return place && this.#jobs.get(place);
  }

  last(): StoredJob | undefined {
    const place = this.#jobs.maxKey();
    return place && this.#jobs.get(place);
  }

  firstOf(rank: number): StoredJob | undefined {
    const [place, job] = this.#jobs.getPairOrNextHigher({ rank, order: -Infinity }) ?? [];
    return place?.rank === rank ? job : undefined;
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
    if (job.place !== undefined) this.#jobs.delete(job.place);
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

  /** The jobs from the first one on, up to one that is not meant. */
  fromFirstWhile(isMeant: (job: StoredJob) => boolean): readonly StoredJob[] {
    const found: StoredJob[] = [];
    for (const [, job] of this.#jobs.entries()) {
      if (!isMeant(job)) break;
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

  /** Up to `length` jobs from the last one back, or from the last one before a place. */
  before(place: Place | undefined, length: number): readonly StoredJob[] {
    const found: StoredJob[] = [];
    for (const [, job] of this.#jobs.entriesReversed(place, undefined, true)) {
      if (found.push(job) === length) break;
    }
    return found;
  }

  #put(job: StoredJob, place: Place): void {
    job.place = place;
    this.#jobs.set(place, job);
  }
}
