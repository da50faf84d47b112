import { attemptsCount } from '../../../../domain/attempts/attempt-record.ts';
import type {
  JobAttempts,
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueueSummary,
} from '../../../../application/ports/queue-port.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import { JOB_STATES, type JobState, type StateCounts } from '../../../../domain/jobs/job-status.ts';
import type { Job, JobFacts } from '../../../../domain/jobs/job.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { readAttempts } from '../layout/attempt-lines.ts';
import {
  addedOptions,
  isJobRecord,
  jobFromRecord,
  jobRecord,
  type JobRecord,
} from '../layout/job-record.ts';
import { LARGEST_PIECE, MOST_JOBS } from '../layout/largest-piece.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { queueSummary, stateCounts } from '../layout/queue-summary.ts';
import {
  listJobs,
  readEach,
  readJobs,
  readLogs,
  readRecorded,
  summarizeQueue,
  type Hash,
  type ReadAnswer,
} from '../scripts/reading.ts';

/** The most jobs, each requested separately, that one run reads. */
const MOST_SHARED_READS = 16;

/** Makes what is shown of a job, given its position among the ids. */
type Show<Shown> = (id: string, record: JobRecord, position: number) => Shown;

/**
 * Reads jobs and logs of any size in pieces, so that no command holds the store for long. A usual page takes one
 * command.
 */
export class JobReader {
  readonly #commands: StoreCommands;
  readonly #reads = new SharedRuns<QueueKeys, string, ReadAnswer>(
    (keys, ids) => this.#readEach(keys, ids),
    { most: MOST_SHARED_READS },
  );

  constructor(commands: StoreCommands) {
    this.#commands = commands;
  }

  async list(keys: QueueKeys, { statuses, start, length }: JobsQuery): Promise<JobsSlice> {
    const wanted = JOB_STATES.map((state) => (statuses.includes(state) ? 1 : 0));
    const page = { start, length };
    const [numbers, ids, hashes] = await this.#commands.call(listJobs, keys, page, wanted);
    const counts = stateCounts(numbers);
    const show: Show<Job> = (id, record, position) =>
      jobFromRecord(id, record, keys.queue, stateAt(start + position, statuses, counts));
    const first = shown(ids, hashes, 0, show);
    if (hashes.length === ids.length) return { counts, jobs: [first] };
    const { length: read } = hashes;
    return { counts, jobs: startingWith(first, this.#read(keys, ids, read, show)) };
  }

  async summary(keys: QueueKeys): Promise<QueueSummary> {
    return queueSummary(await this.#commands.call(summarizeQueue, keys));
  }

  async find(keys: QueueKeys, jobId: string): Promise<Job | undefined> {
    const answer = await this.#reads.add(keys, jobId);
    if (answer === null) return undefined;
    const [state, hash] = answer;
    if (hash === 1) return this.#large(keys, jobId, state);
    return jobOf(keys, jobId, state, hash);
  }

  /** The existing jobs with these ids, in pieces that one command may read. */
  async *each(keys: QueueKeys, ids: readonly string[]): AsyncGenerator<readonly Job[]> {
    for (let read = 0; read < ids.length;) {
      const some = ids.slice(read, read + MOST_SHARED_READS);
      const answers = await this.#readEach(keys, some);
      const jobs: Job[] = [];
      for (const [index, answer] of answers.entries()) {
        const id = some[index] as string;
        const isLarge = answer?.[1] === 1;
        // The next piece begins with the large job.
        if (isLarge && index > 0) break;
        read += 1;
        if (answer === null) continue;
        const [state, hash] = answer;
        const job = hash === 1 ? await this.#large(keys, id, state) : jobOf(keys, id, state, hash);
        if (job !== undefined) jobs.push(job);
        if (isLarge) break;
      }
      yield jobs;
    }
  }

  /** A job that is too large for a script. */
  async #large(keys: QueueKeys, id: string, state: JobState): Promise<Job | undefined> {
    return jobOf(keys, id, state, await this.#hash(keys.jobPrefix + id));
  }

  #readEach(keys: QueueKeys, ids: readonly string[]): Promise<readonly ReadAnswer[]> {
    return this.#commands.call(readEach, keys, {}, ids);
  }

  /** The existing jobs with these ids. */
  async findAll(keys: QueueKeys, ids: readonly string[]): Promise<readonly JobFacts[]> {
    const found: JobFacts[] = [];
    const show: Show<JobFacts> = (id, record) => jobFromRecord(id, record, keys.queue);
    for await (const jobs of this.#read(keys, ids, 0, show)) found.push(...jobs);
    return found;
  }

  /** @param key of the job's hash. */
  async attempts(key: string): Promise<JobAttempts | undefined> {
    const answer = await this.#commands.call(readRecorded, { job: key });
    if (answer === undefined) return undefined;
    const [recorded, group, options] = answer;
    const attempts = readAttempts(recorded);
    const { tm: carrier } = addedOptions(new Map([['opts', options]]));
    return {
      count: attemptsCount(attempts),
      attempts,
      ...(group !== NO_GROUP && { group }),
      ...(typeof carrier === 'string' && { carrier }),
    };
  }

  /** @param key of the job's hash. */
  async logs(key: string, start: number, length: number): Promise<JobLogs | undefined> {
    const lines = `${key}:logs`;
    const last = Math.min(start + length - 1, Number.MAX_SAFE_INTEGER);
    const [keys, range] = [
      { job: key, logs: lines },
      { first: start, last },
    ];
    const answer = await this.#commands.call(readLogs, keys, range);
    if (answer === undefined) return undefined;
    const [count, size, logs] = answer;
    if (logs !== undefined) return { count, logs: [logs] };
    const step = Math.max(1, Math.floor((LARGEST_PIECE * count) / size));
    return { count, logs: this.#lines(lines, start, Math.min(last + 1, count), step) };
  }

  /** The jobs with the ids from a position on, in pieces that one command may read. */
  async *#read<Shown>(
    keys: QueueKeys,
    ids: readonly string[],
    from: number,
    show: Show<Shown>,
  ): AsyncGenerator<readonly Shown[]> {
    for (let read = from; read < ids.length;) {
      const hashes = await this.#hashes(keys, ids.slice(read, read + MOST_JOBS));
      yield shown(ids, hashes, read, show);
      read += hashes.length;
    }
  }

  /** The hashes of the first jobs, at least one. */
  async #hashes(keys: QueueKeys, ids: readonly string[]): Promise<readonly Hash[]> {
    const hashes = await this.#commands.call(readJobs, keys, {}, ids);
    if (hashes.length > 0) return hashes;
    return [await this.#hash(keys.jobPrefix + (ids[0] as string))];
  }

  /** The hash of a job that is too large for a script. */
  async #hash(key: string): Promise<Hash> {
    const hash = await this.#commands.readLarge((client) => client.hgetall(key));
    return Object.entries(hash).flat();
  }

  async *#lines(
    key: string,
    start: number,
    end: number,
    step: number,
  ): AsyncGenerator<readonly string[]> {
    for (let first = start; first < end; first += step) {
      const last = Math.min(first + step, end) - 1;
      yield await this.#commands.readLarge((client) => client.lrange(key, first, last));
    }
  }
}

/** The job that a hash stores; undefined when the hash is not that of a job. */
function jobOf(keys: QueueKeys, id: string, state: JobState, hash: Hash): Job | undefined {
  const record = jobRecord(hash);
  return isJobRecord(record) ? jobFromRecord(id, record, keys.queue, state) : undefined;
}

/** The state of the job at a position in the listing of some states, which are in listing order. */
function stateAt(position: number, states: readonly JobState[], counts: StateCounts): JobState {
  let before = 0;
  const state = states.find((each) => {
    before += counts[each];
    return position < before;
  });
  if (state === undefined) throw new Error(`The listing has no job at ${position}`);
  return state;
}

/** The jobs of the hashes, which belong to the ids from a position on. A removed job has an empty hash. */
function shown<Shown>(
  ids: readonly string[],
  hashes: readonly Hash[],
  from: number,
  show: Show<Shown>,
): Shown[] {
  const jobs: Shown[] = [];
  hashes.forEach((hash, index) => {
    if (hash.length === 0) return;
    const position = from + index;
    jobs.push(show(ids[position] as string, jobRecord(hash), position));
  });
  return jobs;
}

async function* startingWith<Item>(
  first: readonly Item[],
  rest: AsyncIterable<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  yield first;
  yield* rest;
}
