import type { ListedJob, Position } from '../../../../domain/records/job-record.ts';
import type { JobPlace } from '../../../../domain/transitions/queue-state.ts';
import { SortedTree } from './sorted-tree.ts';
import { asStored, type StoredJob } from './stored-job.ts';

/**
 * The jobs of one status, first to last. Adding, removing and finding the first cost O(log n), so
 * that a long backlog does not slow its queue down.
 */
export class JobList implements Pick<JobPlace, 'size' | 'append' | 'prepend' | 'remove'> {
  /** Each job is its own key, so that it takes one entry. */
  readonly #jobs = new SortedTree<Position, undefined>(
    undefined,
    (a, b) => a.rank - b.rank || a.order - b.order,
  );
  #head = 0;
  #tail = 0;
  readonly #changed: (job: StoredJob) => void;
  readonly #reserved: (job: StoredJob) => number | undefined;

  /**
   * @param changed receives each job whose position changes.
   * @param reserved the order that was reserved for a job before it was there.
   */
  constructor(
    changed: (job: StoredJob) => void,
    reserved: (job: StoredJob) => number | undefined = () => undefined,
  ) {
    this.#changed = changed;
    this.#reserved = reserved;
  }

  get size(): number {
    return this.#jobs.size;
  }

  first(): StoredJob | undefined {
    return found(this.#jobs.minKey());
  }

  last(): StoredJob | undefined {
    return found(this.#jobs.maxKey());
  }

  firstOf(rank: number): StoredJob | undefined {
    const job = this.#jobs.nextHigherKey({ rank, order: -Infinity });
    return job?.rank === rank ? asStored(job) : undefined;
  }

  firstOfLastRank(): StoredJob | undefined {
    const last = this.#jobs.maxKey();
    return last && this.firstOf(last.rank);
  }

  /** Puts the job behind all others of its rank. */
  append(job: StoredJob, rank: number): void {
    this.#put(job, { rank, order: this.#reserved(job) ?? this.reserve() });
    this.#changed(job);
  }

  /** @returns an order behind all others of any rank. */
  reserve(): number {
    this.#tail += 1;
    return this.#tail;
  }

  /** Puts the job ahead of all others of its rank. */
  prepend(job: StoredJob, rank: number): void {
    this.#head -= 1;
    this.#put(job, { rank, order: this.#head });
    this.#changed(job);
  }

  /** Does nothing when another job took its place: records of other replicas are put here one after the other. */
  remove(job: ListedJob): void {
    const { position } = job;
    if (position === undefined) return;
    const [other] = this.#jobs.getPairOrNextHigher(position) ?? [];
    if (Object.is(other, job)) this.#jobs.delete(position);
  }

  /** Puts the job where it was when its record was written; later ones go behind or ahead of it. */
  restore(job: StoredJob): void {
    this.#tail = Math.max(this.#tail, job.order);
    this.#head = Math.min(this.#head, job.order);
    this.#jobs.set(job, undefined);
  }

  /** Up to `length` jobs from the first one on. */
  fromFirst(length: number): readonly StoredJob[] {
    return taken(this.#all(), length);
  }

  upTo(rank: number, most: number): readonly StoredJob[] {
    return taken(this.#all(), most, ({ position }) => (position?.rank ?? 0) <= rank);
  }

  countUpTo(rank: number): number {
    const first = this.#jobs.minKey();
    return first === undefined ? 0 : this.#jobs.forRange(first, { rank, order: Infinity }, true);
  }

  /** The jobs from the first one on, up to the first that does not match. */
  fromFirstWhile(matches: (job: StoredJob) => boolean): readonly StoredJob[] {
    return taken(this.#all(), Infinity, matches);
  }

  /** The jobs from a position on, or from the first one. */
  onFrom(position: Position | undefined): Iterable<StoredJob> {
    return this.#all(position);
  }

  /** Up to `length` jobs from the last one back, without the last `skip`. */
  fromLast(skip = 0, length = this.size): readonly StoredJob[] {
    return skip >= this.size ? [] : taken(this.#back(undefined, skip), length);
  }

  /** Up to `length` jobs backwards, from the last one or from the one before a position. */
  before(position: Position | undefined, length: number): readonly StoredJob[] {
    return taken(this.#back(position), length);
  }

  /** Up to `length` jobs behind a position, or from the first one on. */
  behind(position: Position | undefined, length: number): readonly StoredJob[] {
    return taken(this.#all(position), length + 1)
      .filter(({ rank, order }) => rank !== position?.rank || order !== position.order)
      .slice(0, length);
  }

  *#all(from?: Position): Generator<StoredJob> {
    for (const [job] of this.#jobs.entries(from)) yield asStored(job);
  }

  *#back(before?: Position, skip = 0): Generator<StoredJob> {
    let left = skip;
    for (const [job] of this.#jobs.entriesReversed(before, undefined, true)) {
      if (left > 0) left -= 1;
      else yield asStored(job);
    }
  }

  #put(job: StoredJob, position: Position): void {
    job.position = position;
    this.#jobs.set(job, undefined);
  }
}

function found(job: Position | undefined): StoredJob | undefined {
  return job && asStored(job);
}

/** Up to `most` jobs, up to the first that does not match. */
function taken(
  jobs: Iterable<StoredJob>,
  most: number,
  matches: (job: StoredJob) => boolean = () => true,
): readonly StoredJob[] {
  const found: StoredJob[] = [];
  if (most <= 0) return found;
  for (const job of jobs) {
    if (!matches(job)) break;
    if (found.push(job) >= most) break;
  }
  return found;
}
