import type { DeduplicationOptions } from '../../../../domain/jobs/deduplication.ts';
import { SortedTree } from './sorted-tree.ts';
import { isStored, type ListedJob } from './listed-job.ts';
import type { ChangesOfQueue } from './record-changes.ts';
import type { StoredJob } from './stored-job.ts';

/** The job that stands for a deduplication id. */
export interface Standing {
  readonly jobId: string;
  /** Epoch ms; undefined when the id is held until the job ends. */
  readonly endsAt: number | undefined;
}

/** What is kept of a deduplication id. */
export interface DeduplicationRecord {
  readonly standing?: Standing | undefined;
  readonly successor?: StoredJob | undefined;
}

interface End {
  readonly at: number;
  readonly id: string;
}

/** What deduplication needs of the jobs of a queue. */
export interface DeduplicatedJobs {
  find(id: string): ListedJob | undefined;
  /** Removes a job without touching its deduplication. */
  discard(job: ListedJob): void;
  defer(job: StoredJob, delay: number, now: number): void;
}

/** Which jobs of a queue stand for which deduplication ids, by the rules of BullMQ. */
export class Deduplications {
  readonly #jobs: DeduplicatedJobs;
  readonly #changes: ChangesOfQueue;
  readonly #standing = new Map<string, Standing>();
  readonly #ends = new SortedTree<End, true>(
    undefined,
    (a, b) => a.at - b.at || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  /** The jobs to add when the active ones end, by deduplication id. */
  readonly #successors = new Map<string, StoredJob>();

  constructor(jobs: DeduplicatedJobs, changes: ChangesOfQueue) {
    this.#jobs = jobs;
    this.#changes = changes;
  }

  /** The record of an id; undefined when nothing is kept of it. */
  record(id: string): DeduplicationRecord | undefined {
    const [standing, successor] = [this.#standing.get(id), this.#successors.get(id)];
    return standing === undefined && successor === undefined ? undefined : { standing, successor };
  }

  restore(id: string, { standing, successor }: DeduplicationRecord): void {
    if (standing !== undefined) this.#put(id, standing);
    if (successor !== undefined) this.#successors.set(id, successor);
  }

  /** The ids that have a record. */
  get recorded(): ReadonlySet<string> {
    return new Set([...this.#standing.keys(), ...this.#successors.keys()]);
  }

  /** The id of the job that stands for the added one; undefined when the added one is to be stored. */
  take(job: StoredJob, options: DeduplicationOptions, now: number): string | undefined {
    const { id, ttl, extend = false, replace = false, reschedule = false } = options;
    const standing = this.find(id, now);
    if (standing === undefined) {
      this.#stand(options, job.id, now);
      return undefined;
    }
    const { jobId } = standing;
    const existing = this.#jobs.find(jobId);
    if (replace && existing?.status === 'delayed') {
      this.#jobs.discard(existing);
      this.#successors.delete(id);
      const keepsTime =
        ttl !== undefined && ttl > 0 && !extend && options.keepLastIfActive !== true;
      if (keepsTime) this.#put(id, { jobId: job.id, endsAt: standing.endsAt });
      else this.#stand(options, job.id, now);
      return undefined;
    }
    if (existing === undefined && standing.endsAt === undefined) {
      this.#successors.delete(id);
      this.#stand(options, job.id, now);
      return undefined;
    }
    if (options.keepLastIfActive === true && existing?.status === 'active') {
      this.#successors.set(id, job);
      this.#changes.note('deduplication', id);
      this.#put(id, { jobId, endsAt: undefined });
      return jobId;
    }
    if (!replace && extend && ttl !== undefined && ttl > 0) this.#stand(options, jobId, now);
    if (!replace && reschedule && isStored(existing) && existing.status === 'delayed') {
      this.#jobs.defer(existing, job.delay, now);
    }
    return jobId;
  }

  find(id: string, now: number): Standing | undefined {
    const standing = this.#standing.get(id);
    if (standing?.endsAt !== undefined && standing.endsAt <= now) return undefined;
    return standing;
  }

  /**
   * Frees the deduplication id of a job unless it is held for a time. @returns the successor, which holds the id from
   * now on.
   */
  finished(job: StoredJob, now: number): StoredJob | undefined {
    const { deduplicationId: id } = job;
    if (id === undefined) return undefined;
    const standing = this.find(id, now);
    if (standing?.jobId === job.id && standing.endsAt === undefined) this.#end(id);
    const successor = this.#successors.get(id);
    if (successor === undefined) return undefined;
    this.#successors.delete(id);
    this.#stand(deduplicationOf(successor), successor.id, now);
    return successor;
  }

  removed({ id: jobId, deduplicationId: id }: ListedJob, now: number): void {
    if (id === undefined || this.find(id, now)?.jobId !== jobId) return;
    this.#end(id);
    this.#successors.delete(id);
  }

  /** Frees the id. @returns whether a job stood for it. */
  end(id: string, now: number): boolean {
    const stood = this.find(id, now) !== undefined;
    this.#end(id);
    return stood;
  }

  #stand(
    { id, ttl = 0, keepLastIfActive = false }: DeduplicationOptions,
    jobId: string,
    now: number,
  ): void {
    this.#put(id, { jobId, endsAt: ttl > 0 && !keepLastIfActive ? now + ttl : undefined });
  }

  #put(id: string, standing: Standing): void {
    this.#end(id);
    this.#changes.note('deduplication', id);
    this.#standing.set(id, standing);
    if (standing.endsAt !== undefined) this.#ends.set({ at: standing.endsAt, id }, true);
  }

  #end(id: string): void {
    this.#changes.note('deduplication', id);
    const standing = this.#standing.get(id);
    this.#standing.delete(id);
    if (standing?.endsAt !== undefined) this.#ends.delete({ at: standing.endsAt, id });
  }

  /** Removes the entries that have expired. */
  expire(now: number): void {
    for (let end = this.#ends.minKey(); end !== undefined && end.at <= now;) {
      this.#end(end.id);
      end = this.#ends.minKey();
    }
  }
}

function deduplicationOf({ opts }: StoredJob): DeduplicationOptions {
  return (JSON.parse(opts) as { readonly deduplication: DeduplicationOptions }).deduplication;
}
