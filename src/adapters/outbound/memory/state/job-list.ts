import type { ListedJob, Position } from '../../../../domain/records/job-record.ts';
import type { JobPlace } from '../../../../domain/transitions/queue-state.ts';
import type { KnownJob } from './ended-job.ts';
import { SortedTree } from './sorted-tree.ts';
import type { StoredJob } from './stored-job.ts';

/**
 * The jobs of one status, first to last. Adding, removing and finding the first cost O(log n), so
 * that a long backlog does not slow its queue down.
 */
export class JobList<Job extends KnownJob = StoredJob> implements Pick<
  JobPlace,
  'size' | 'append' | 'prepend' | 'remove'
> {
  readonly #jobs = new SortedTree<Position, Job>(
    undefined,
    (a, b) => a.rank - b.rank || a.order - b.order,
  );
  #head = 0;
  #tail = 0;
  readonly #changed: (job: StoredJob) => void;

  /** @param changed receives each job whose position changes. */
  constructor(changed: (job: StoredJob) => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#jobs.size;
  }

  first(): Job | undefined {
    const position = this.#jobs.minKey();
    return position && this.#jobs.get(position);
  }

  last(): Job | undefined {
    const position = this.#jobs.maxKey();
    return position && this.#jobs.get(position);
  }

  firstOf(rank: number): Job | undefined {
    const [position, job] = this.#jobs.getPairOrNextHigher({ rank, order: -Infinity }) ?? [];
    return position?.rank === rank ? job : undefined;
  }

  firstOfLastRank(): Job | undefined {
    const last = this.#jobs.maxKey();
    return last && this.firstOf(last.rank);
  }

  /** Puts the job behind all others of its rank. */
  append(job: Job & StoredJob, rank: number): void {
    this.#tail += 1;
    this.#put(job, { rank, order: this.#tail });
    this.#changed(job);
  }

  /** Puts the job ahead of all others of its rank. */
  prepend(job: Job & StoredJob, rank: number): void {
    this.#head -= 1;
    this.#put(job, { rank, order: this.#head });
    this.#changed(job);
  }

  /** Does nothing when another job took its place: records of other replicas are put here one after the other. */
  remove(job: ListedJob): void {
    if (job.position !== undefined && this.#jobs.get(job.position) === job) {
      this.#jobs.delete(job.position);
    }
  }

  /** Puts the job where it was when its record was written; later ones go behind or ahead of it. */
  restore(job: Job, position: Position): void {
    this.#tail = Math.max(this.#tail, position.order);
    this.#head = Math.min(this.#head, position.order);
    this.#jobs.set(position, job);
  }

  /** Puts the job in the place of another. */
  replace({ position }: ListedJob, job: Job): void {
    if (position !== undefined) this.#jobs.set(job.position ?? position, job);
  }

  /** Up to `length` jobs from the first one on. */
  fromFirst(length: number): readonly Job[] {
    const found: Job[] = [];
    for (const [, job] of this.#jobs.entries()) {
      if (found.length >= length) break;
      found.push(job);
    }
    return found;
  }

  upTo(rank: number): readonly Job[] {
    return this.fromFirstWhile(({ position }) => (position?.rank ?? 0) <= rank);
  }

  countUpTo(rank: number): number {
    const first = this.#jobs.minKey();
    return first === undefined ? 0 : this.#jobs.forRange(first, { rank, order: Infinity }, true);
  }

  /** The jobs from the first one on, up to the first that does not match. */
  fromFirstWhile(matches: (job: Job) => boolean): readonly Job[] {
    const found: Job[] = [];
    for (const [, job] of this.#jobs.entries()) {
      if (!matches(job)) break;
      found.push(job);
    }
    return found;
  }

  /** The jobs from a position on, or from the first one. */
  *onFrom(position: Position | undefined): Generator<Job> {
    for (const [, job] of this.#jobs.entries(position)) yield job;
  }

  /** Up to `length` jobs from the last one back, without the last `skip`. */
  fromLast(skip = 0, length = this.size): readonly Job[] {
    const found: Job[] = [];
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
  before(position: Position | undefined, length: number): readonly Job[] {
    const found: Job[] = [];
    for (const [, job] of this.#jobs.entriesReversed(position, undefined, true)) {
      if (found.push(job) === length) break;
    }
    return found;
  }

  #put(job: Job & StoredJob, position: Position): void {
    job.position = position;
    this.#jobs.set(position, job);
  }
}
