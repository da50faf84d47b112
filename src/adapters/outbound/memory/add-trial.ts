import type { DeduplicationOptions } from '../../../domain/deduplication.ts';
import type { Standing } from './deduplications.ts';
import type { StoredJob } from './stored-job.ts';

/** A job that stands for a deduplication id, or would. */
interface TriedStanding {
  readonly jobId: string;
  readonly isDelayed: boolean;
  /** Whether the job is gone and nothing else ends what it stands for. */
  readonly isStale: boolean;
}

/** Goes through the jobs of an add as that would, to tell which would be stored. Changes nothing. */
export class AddTrial {
  readonly #jobs: ReadonlyMap<string, StoredJob>;
  readonly #standing: (deduplicationId: string) => Standing | undefined;
  readonly #tried = new Map<string, TriedStanding>();
  /** Which ids would be taken, and which free, once the jobs so far were added. */
  readonly #isTaken = new Map<string, boolean>();

  constructor(
    jobs: ReadonlyMap<string, StoredJob>,
    standing: (deduplicationId: string) => Standing | undefined,
  ) {
    this.#jobs = jobs;
    this.#standing = standing;
  }

  /** The next job of the add. */
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
    // From then on it is the end of the job that decides, and that may have been.
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
