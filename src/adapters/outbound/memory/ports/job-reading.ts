import { setImmediate } from 'node:timers/promises';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { JobDetails } from '../records/job-details.ts';
import { isWhole } from '../state/ended-job.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { sizeOf, type StoredJob } from '../state/stored-job.ts';
import type { StoredQueue } from '../state/stored-queue.ts';
import { LARGEST_PIECE } from './pieces.ts';

/** Jobs that one turn of the event loop reads at most. */
const MOST_AT_ONCE = 250;

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
  readonly #details: JobDetails;

  constructor(queue: StoredQueue) {
    this.#queue = queue;
    this.#details = queue.details;
  }

  /** Returns the job at once if all of it is in memory; undefined when it does not exist. */
  one(id: string): JobRecord | undefined | Promise<JobRecord | undefined> {
    const job = this.#queue.jobs.find(id);
    if (job === undefined || isWhole(job)) return job;
    return this.piece([id]).then(([read]) => read);
  }

  logs(id: string): readonly string[] | undefined | Promise<readonly string[]> {
    const job = this.#queue.jobs.find(id);
    if (job === undefined || isWhole(job)) return job?.logs;
    return job.hasLogs ? this.#details.logs(this.#queue.name, id) : [];
  }

  /**
   * The first of the jobs as they are now, in the order of the ids; undefined in place of one that does not exist. At
   * most 250 jobs, and about 256 kB or one job.
   *
   * @param sizeOfJob how many characters of a job in memory count.
   */
  async piece(
    ids: readonly string[],
    sizeOfJob: (job: JobRecord) => number = sizeOf,
  ): Promise<readonly (JobRecord | undefined)[]> {
    const some = ids.slice(0, MOST_AT_ONCE);
    for (;;) {
      const elsewhere = some.filter((id) => this.#isElsewhere(id));
      const read = await this.#read(elsewhere);
      const jobs = this.#asTheyAre(some, read, sizeOfJob);
      // Empty if the first job left the memory while others were read.
      if (jobs.length > 0 || some.length === 0) return jobs;
    }
  }

  /** The jobs that exist, in such pieces. Yields to the event loop before each. */
  async *pieces(
    ids: readonly string[],
    sizeOfJob: (job: JobRecord) => number = sizeOf,
  ): AsyncGenerator<readonly JobRecord[]> {
    for (let next = 0; next < ids.length;) {
      await setImmediate();
      const jobs = await this.piece(ids.slice(next, next + MOST_AT_ONCE), sizeOfJob);
      next += jobs.length;
      yield jobs.filter((job) => job !== undefined);
    }
  }

  /** Takes a step for which all of a job has to be in memory, once it is; at once for most jobs. */
  async withWhole<Answer>(id: string, step: () => Answer): Promise<Answer> {
    const { jobs, name } = this.#queue;
    for (;;) {
      const job = jobs.find(id);
      if (job === undefined || isWhole(job)) return step();
      const [record] = await this.#details.read(name, [id], LARGEST_PIECE);
      const logs = await this.logs(id);
      if (jobs.find(id) !== job) continue;
      if (record === undefined) throw new Error('A job that ended has no record');
      jobs.complete(job, record, logs ?? []);
      const answer = step();
      // A step that refused has left it as its records have it.
      jobs.shrink(id);
      return answer;
    }
  }

  /**
   * Takes steps that change jobs which may have ended, once all of these are in memory but for their logs, in pieces. The
   * jobs that the steps leave as they were stay in memory, so they should leave none.
   */
  async eachWhole(
    ids: readonly string[],
    step: (jobs: readonly StoredJob[]) => void,
  ): Promise<void> {
    const { jobs } = this.#queue;
    for (let next = 0; next < ids.length;) {
      const some = ids.slice(next, next + MOST_AT_ONCE);
      const known = some.map((id) => jobs.find(id));
      const read = await this.piece(some);
      next += read.length;
      for (const [index, record] of read.entries()) {
        const job = known[index];
        if (job !== undefined && record !== undefined && !isWhole(job))
          jobs.complete(job, record, []);
      }
      const found = some.slice(0, read.length).map((id) => jobs.find(id));
      step(found.filter((job): job is StoredJob => job !== undefined && isWhole(job)));
    }
  }

  #isElsewhere(id: string): boolean {
    const job = this.#queue.jobs.find(id);
    return job !== undefined && !isWhole(job);
  }

  async #read(ids: readonly string[]): Promise<ReadonlyMap<string, JobRecord | undefined>> {
    if (ids.length === 0) return new Map();
    const jobs = await this.#details.read(this.#queue.name, ids, LARGEST_PIECE);
    return new Map(jobs.map((job, index) => [ids[index] as string, job]));
  }

  /** Up to the first job that is elsewhere and was not read. */
  #asTheyAre(
    ids: readonly string[],
    read: ReadonlyMap<string, JobRecord | undefined>,
    sizeOfJob: (job: JobRecord) => number,
  ): readonly (JobRecord | undefined)[] {
    const jobs: (JobRecord | undefined)[] = [];
    let size = 0;
    for (const id of ids) {
      const known = this.#queue.jobs.find(id);
      if (this.#isElsewhere(id) && !read.has(id)) break;
      const job = known === undefined || isWhole(known) ? known : read.get(id);
      size += job === undefined ? 0 : sizeOfJob(job);
      if (size > LARGEST_PIECE && jobs.length > 0) break;
      jobs.push(job);
    }
    return jobs;
  }
}
