import { setImmediate } from 'node:timers/promises';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import { endedState } from '../../../../domain/jobs/job-status.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { STEP_LENGTH } from '../records/job-history.ts';
import { keptJobs, type FoundJob } from '../records/kept-jobs.ts';
import { LARGEST_PIECE } from '../records/kept-values.ts';
import { readPiece, readPieces, UNREAD, type ValueReading } from '../records/value-reading.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { sizeOf, type StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { fetchReturned } from './child-reading.ts';

/** Jobs that one turn of the event loop reads at most. */
const MOST_AT_ONCE = 250;

/** Jobs that are read with one that a step needs: those behind it are needed next. */
const READ_AHEAD = 100;

/** The same of one of a group: those behind it are mostly of other groups, which have other turns. */
const READ_AHEAD_OF_GROUPS = 10;

/** Reads a whole job, from memory or from its records; undefined when it does not exist. */
export async function readJob(
  store: MemoryStore,
  { queue, id }: JobAddress,
): Promise<JobRecord | undefined> {
  const found = store.find(queue);
  return found && new JobReading(found).one(id);
}

/** Reads jobs of one queue with all that is kept of them, in memory or on a disk. */
export class JobReading {
  readonly #queue: StoredQueue;

  constructor(queue: StoredQueue) {
    this.#queue = queue;
  }

  /** Returns the job at once if all of it is in memory; undefined when it does not exist. */
  one(id: string): JobRecord | undefined | Promise<JobRecord | undefined> {
    const job = this.#queue.jobs.find(id);
    if (job === undefined || job.isWhole) return job;
    return this.piece([id]).then(([read]) => read);
  }

  /** The log of a job that is in one record. */
  async olderLog(job: StoredJob): Promise<readonly string[]> {
    const read = await this.#read([job]);
    return read.get(job)?.olderLog ?? [];
  }

  /**
   * The first of the jobs as they are now, in the order of the ids; undefined in place of one that does not exist. At
   * most 250 jobs, and about 256 kB or one job.
   *
   * @param sizeOfJob how many characters of a job in memory count.
   */
  piece(
    ids: readonly string[],
    sizeOfJob: (job: JobRecord) => number = sizeOf,
  ): Promise<readonly (JobRecord | undefined)[]> {
    return readPiece(this.#queue.values, ids, this.#reading(sizeOfJob));
  }

  /** The jobs that exist, in such pieces. Yields to the event loop before each. */
  async *pieces(
    ids: readonly string[],
    sizeOfJob: (job: JobRecord) => number = sizeOf,
  ): AsyncGenerator<readonly JobRecord[]> {
    await setImmediate();
    for await (const jobs of readPieces(this.#queue.values, ids, this.#reading(sizeOfJob))) {
      yield jobs.filter((job) => job !== undefined);
      await setImmediate();
    }
  }

  /** Takes a step for which all of a job has to be in memory, once it is; at once for most jobs. */
  async withWhole<Answer>(id: string, step: () => Answer): Promise<Answer> {
    const job = await this.#fetched(id);
    const hadEnded = job !== undefined && endedState(job.status) !== undefined;
    const answer = step();
    // A step that refused has left it as its records have it.
    if (hadEnded && endedState(job.status) !== undefined) job.shrink();
    this.#queue.jobs.makeRoom();
    return answer;
  }

  /**
   * Takes a step by the order of jobs, again and again until all of the jobs that it needs are in memory.
   *
   * @param step says by `isAtHand` which these are.
   */
  async untilAtHand<Answer>(step: () => Answer): Promise<Answer> {
    for (;;) {
      const answer = step();
      const wanted = this.#queue.jobs.takeWanted();
      if (wanted.length === 0) return answer;
      await this.#queue.jobs.fetchOnce(() => this.fetch(wanted));
    }
  }

  /**
   * Reads all of some jobs into memory, and of those that are likely to be needed next. Of a job that is whole, a step
   * needed what its children returned.
   */
  async fetch(wanted: readonly StoredJob[]): Promise<void> {
    const { jobs } = this.#queue;
    const parents = wanted.filter((job) => job.isWhole);
    const next =
      wanted.length === 1 ? wanted.flatMap((job) => shortOnes(jobs.behind(job, aheadOf(job)))) : [];
    const missing = [...new Set([...wanted, ...next])].filter((job) => !job.isWhole);
    const read = await this.#read(missing);
    for (const [job, found] of read) this.#complete(job, found);
    for (const parent of parents) await fetchReturned(this.#queue, parent);
  }

  /**
   * Takes steps that change jobs which may have ended, once all of these are in memory, in pieces. The jobs that the
   * steps leave as they were stay in memory, so they should leave none.
   */
  async eachWhole(
    ids: readonly string[],
    step: (jobs: readonly StoredJob[]) => void,
  ): Promise<void> {
    const { jobs } = this.#queue;
    for (let next = 0; next < ids.length;) {
      const some = ids.slice(next, next + MOST_AT_ONCE);
      const elsewhere = some.flatMap((id) => this.#elsewhere(id) ?? []);
      const read = await this.#read(elsewhere);
      for (const [job, found] of read) this.#complete(job, found);
      const unread = some.findIndex((id) => this.#elsewhere(id) !== undefined);
      const done = unread === -1 ? some : some.slice(0, unread);
      next += done.length;
      step(done.flatMap((id) => jobs.find(id) ?? []));
    }
  }

  /** A job that was not whole in memory, and is now; undefined for others. */
  async #fetched(id: string): Promise<StoredJob | undefined> {
    let fetched: StoredJob | undefined;
    for (let job = this.#elsewhere(id); job !== undefined; job = this.#elsewhere(id)) {
      fetched = job;
      const read = await this.#read([job]);
      this.#complete(job, read.get(job));
    }
    return fetched;
  }

  /** @throws Error for a job that has no records. */
  #complete(job: StoredJob, found: FoundJob | undefined): void {
    const isThere = this.#queue.jobs.find(job.id) === job;
    if (!isThere || job.isWhole) return;
    if (found === undefined) throw new Error(`Job ${job.id} has no record`);
    if (isOf(found, job)) this.#queue.jobs.complete(job, found);
  }

  #elsewhere(id: string): StoredJob | undefined {
    const job = this.#queue.jobs.find(id);
    return job?.isWhole === false ? job : undefined;
  }

  #read(jobs: readonly StoredJob[]): Promise<ReadonlyMap<StoredJob, FoundJob | undefined>> {
    return this.#queue.values.find(jobs, keptJobs(this.#queue.name, true));
  }

  #reading(
    sizeOfJob: (job: JobRecord) => number,
  ): ValueReading<string, StoredJob, FoundJob | undefined, JobRecord | undefined> {
    const { name, jobs } = this.#queue;
    return {
      kind: keptJobs(name),
      most: MOST_AT_ONCE,
      elsewhere: (id) => this.#elsewhere(id),
      show: (id, found) => {
        const job = jobs.find(id);
        if (job === undefined || job.isWhole) return job;
        if (found === undefined) return undefined;
        return isOf(found, job) ? job.completed(found.payload, found.run) : UNREAD;
      },
      sizeOf: (job) => (job === undefined ? 0 : sizeOfJob(job)),
    };
  }
}

/** Whether the job is still as it was read: it has not ended since, nor started over. */
function isOf({ finishedOn }: FoundJob, job: StoredJob): boolean {
  return endedState(job.status) === undefined
    ? finishedOn === undefined
    : finishedOn === job.finishedOn;
}

/** The first of some jobs, whose steps are listed in about 256 kB: a server counts less for what it compresses. */
function shortOnes(jobs: readonly StoredJob[]): readonly StoredJob[] {
  let length = 0;
  const end = jobs.findIndex((job) => (length += job.lastStep * STEP_LENGTH) > LARGEST_PIECE);
  return end === -1 ? jobs : jobs.slice(0, end);
}

function aheadOf({ group }: StoredJob): number {
  return group === undefined ? READ_AHEAD : READ_AHEAD_OF_GROUPS;
}
