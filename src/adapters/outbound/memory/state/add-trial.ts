import type { DeduplicationOptions } from '../../../../domain/jobs/deduplication.ts';
import type { Standing } from './deduplications.ts';
import type { ListedJob } from './listed-job.ts';
import type { StoredJob } from './stored-job.ts';

/** A job that holds a deduplication id, or would hold it. */
interface TriedStanding {
  readonly jobId: string;
  readonly isDelayed: boolean;
  /** Whether the job was removed while its id was held without a time. */
  readonly isStale: boolean;
}

/** Runs an add without changing anything, to decide which of its jobs would be stored. */
export class AddTrial {
  readonly #jobs: ReadonlyMap<string, ListedJob>;
  readonly #standing: (deduplicationId: string) => Standing | undefined;
  readonly #tried = new Map<string, TriedStanding>();
  /** Which ids would be taken or free after the jobs so far. */
  readonly #isTaken = new Map<string, boolean>();

  constructor(
    jobs: ReadonlyMap<string, ListedJob>,
    standing: (deduplicationId: string) => Standing | undefined,
  ) {
    this.#jobs = jobs;
    this.#standing = standing;
  }

  /** Whether the next job of the add would be stored. */
  wouldStore({ id, delay }: StoredJob, deduplication: DeduplicationOptions | undefined): boolean {
    if (this.#isTaken.get(id) ?? this.#jobs.has(id)) return false;
    if (deduplication !== undefined && !this.#isLetIn(id, delay > 0, deduplication)) return false;
    this.#isTaken.set(id, true);
    return true;
  }

  #isLetIn(jobId: string, isDelayed: boolean, options: DeduplicationOptions): boolean {
    const { id, ttl = 0, extend = false, replace = false, keepLastIfActive = false } = options;
    const standing = this.#tried.get(id) ?? this.#found(id);
    const isReplaced = replace && standing?.isDelayed === true;
    if (standing === undefined || isReplaced || standing.isStale) {
      if (isReplaced) this.#isTaken.set(standing.jobId, false);
      this.#tried.set(id, { jobId, isDelayed, isStale: false });
      return true;
    }
    // From then on the id is held until the job ends, and that may already have happened.
    const isEndless = !replace && extend && ttl > 0 && keepLastIfActive;
    const isGone = !(this.#isTaken.get(standing.jobId) ?? this.#jobs.has(standing.jobId));
    if (isEndless) this.#tried.set(id, { ...standing, isStale: isGone });
    return false;
  }

  #found(id: string): TriedStanding | undefined {
    const standing = this.#standing(id);
    if (standing === undefined) return undefined;
    const { jobId, endsAt } = standing;
    const job = this.#jobs.get(jobId);
    const isStale = job === undefined && endsAt === undefined;
    return { jobId, isDelayed: job?.status === 'delayed', isStale };
  }
}
