import { setImmediate } from 'node:timers/promises';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobDetails } from './job-details.ts';
import { EndedJob, isStored, type ListedJob } from './listed-job.ts';
import { LARGEST_PIECE } from './pieces.ts';
import { sizeOf, type StoredJob } from './stored-job.ts';

/** Jobs that one turn of the event loop reads at most. */
const MOST_AT_ONCE = 250;

/** Reads jobs of one queue with all that is kept of them, in memory or on a disk. */
export class JobReading {
  readonly #queue: QueueName;
  readonly #find: (id: string) => ListedJob | undefined;
  readonly #details: JobDetails;

  constructor(queue: QueueName, find: (id: string) => ListedJob | undefined, details: JobDetails) {
    this.#queue = queue;
    this.#find = find;
    this.#details = details;
  }

  /** The job, at once if all of it is in memory; undefined when there is none. */
  one(id: string): StoredJob | undefined | Promise<StoredJob | undefined> {
    const job = this.#find(id);
    if (job === undefined || isStored(job)) return job;
    return this.piece([id]).then(([read]) => read);
  }

  logs(id: string): readonly string[] | undefined | Promise<readonly string[]> {
    const job = this.#find(id);
    if (job === undefined || isStored(job)) return job?.logs;
    return job instanceof EndedJob && job.hasLogs ? this.#details.logs(this.#queue, id) : [];
  }

  /**
   * The first of the jobs as they are now, in the order of the ids; undefined in place of one that does not exist. At
   * most 250 jobs, and about 256 kB or one job.
   *
   * @param sizeOfJob how many characters of a job in memory count.
   */
  async piece(
    ids: readonly string[],
    sizeOfJob: (job: StoredJob) => number = sizeOf,
  ): Promise<readonly (StoredJob | undefined)[]> {
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
    sizeOfJob: (job: StoredJob) => number = sizeOf,
  ): AsyncGenerator<readonly StoredJob[]> {
    for (let next = 0; next < ids.length;) {
      await setImmediate();
      const jobs = await this.piece(ids.slice(next, next + MOST_AT_ONCE), sizeOfJob);
      next += jobs.length;
      yield jobs.filter((job) => job !== undefined);
    }
  }

  #isElsewhere(id: string): boolean {
    const job = this.#find(id);
    return job !== undefined && !isStored(job);
  }

  async #read(ids: readonly string[]): Promise<ReadonlyMap<string, StoredJob | undefined>> {
    if (ids.length === 0) return new Map();
    const jobs = await this.#details.read(this.#queue, ids, LARGEST_PIECE);
    return new Map(jobs.map((job, index) => [ids[index] as string, job]));
  }

  /** Up to the first job that is elsewhere and was not read. */
  #asTheyAre(
    ids: readonly string[],
    read: ReadonlyMap<string, StoredJob | undefined>,
    sizeOfJob: (job: StoredJob) => number,
  ): readonly (StoredJob | undefined)[] {
    const jobs: (StoredJob | undefined)[] = [];
    let size = 0;
    for (const id of ids) {
      const listed = this.#find(id);
      if (listed !== undefined && !isStored(listed) && !read.has(id)) break;
      const job =
        listed === undefined || isStored(listed) ? listed : withChildren(listed, read.get(id));
      size += job === undefined ? 0 : sizeOfJob(job);
      if (size > LARGEST_PIECE && jobs.length > 0) break;
      jobs.push(job);
    }
    return jobs;
  }
}

/** A job as it was read, with its children, which are in memory. */
export function withChildren(
  { children }: ListedJob,
  read: StoredJob | undefined,
): StoredJob | undefined {
  return read === undefined || children === undefined ? read : { ...read, children };
}
