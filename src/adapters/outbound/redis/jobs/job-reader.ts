import type { JobLogs, JobsQuery, JobsSlice } from '../../../../application/ports/queue-port.ts';
import { JOB_STATUSES, type JobCounts } from '../../../../domain/job-status.ts';
import type { Job } from '../../../../domain/job.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import { Scripts } from '../connection/scripts.ts';
import type { StoreErrors } from '../connection/store-errors.ts';
import { isJobRecord, jobFromRecord, jobRecord } from '../layout/job-record.ts';
import { listJobsScript } from './list-jobs-script.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { readJobScript } from './read-job-script.ts';
import { LARGEST_PIECE, MOST_JOBS, readJobsScript } from './read-jobs-script.ts';
import { readLogsScript } from './read-logs-script.ts';
import { SerialReads } from './serial-reads.ts';

type Hash = readonly string[];

type ListAnswer = readonly [
  counts: readonly number[],
  waitingForChildren: number,
  ids: readonly string[],
  hashes: readonly Hash[],
];

type LogsAnswer = readonly [count: number, size: number, lines?: readonly string[]];

/**
 * Reads jobs and logs of any size in pieces, so that no command holds the store for long. The usual page
 * takes one command.
 */
export class JobReader {
  readonly #client: RedisClient;
  readonly #scripts: Scripts;
  readonly #errors: StoreErrors;
  readonly #largeReads = new SerialReads();

  constructor(client: RedisClient, errors: StoreErrors) {
    this.#client = client;
    this.#scripts = new Scripts(
      client,
      [listJobsScript, readJobScript, readJobsScript, readLogsScript],
      errors,
    );
    this.#errors = errors;
  }

  async list(keys: QueueKeys, { statuses, start, length }: JobsQuery): Promise<JobsSlice> {
    const wanted = JOB_STATUSES.map((status) => (statuses.includes(status) ? 1 : 0));
    const [numbers, waitingForChildren, ids, hashes] = (await this.#scripts.run(
      listJobsScript,
      [
        keys.active,
        keys.wait,
        keys.paused,
        keys.prioritized,
        keys.delayed,
        keys.completed,
        keys.failed,
        keys.waitingChildren,
      ],
      [keys.jobPrefix, start, length, ...wanted],
    )) as ListAnswer;
    const counts = Object.fromEntries(
      JOB_STATUSES.map((status, index) => [status, numbers[index]]),
    ) as JobCounts;
    const holdsJobs = waitingForChildren > 0 || numbers.some((count) => count > 0);
    const first = shownJobs(keys, ids, hashes);
    if (hashes.length === ids.length) return { counts, holdsJobs, jobs: [first] };
    return { counts, holdsJobs, jobs: this.#jobs(keys, ids.slice(hashes.length), first) };
  }

  async find(keys: QueueKeys, jobId: string): Promise<Job | undefined> {
    const key = keys.jobPrefix + jobId;
    const answer = await this.#scripts.run(readJobScript, [key], []);
    const record = jobRecord(answer === 1 ? await this.#hash(key) : ((answer ?? []) as Hash));
    return isJobRecord(record) ? jobFromRecord(jobId, record, keys.qualifiedName) : undefined;
  }

  /** The jobs of those ids that are there. */
  async findAll(keys: QueueKeys, ids: readonly string[]): Promise<readonly Job[]> {
    const found: Job[] = [];
    for await (const jobs of this.#jobs(keys, ids, [])) for (const job of jobs) found.push(job);
    return found;
  }

  /** @param key of the job's hash. */
  async logs(key: string, start: number, length: number): Promise<JobLogs | undefined> {
    const lines = `${key}:logs`;
    const last = Math.min(start + length - 1, Number.MAX_SAFE_INTEGER);
    const answer = await this.#scripts.run(readLogsScript, [key, lines], [start, last]);
    if (answer === null) return undefined;
    const [count, size, logs] = answer as LogsAnswer;
    if (logs !== undefined) return { count, logs: [logs] };
    const step = Math.max(1, Math.floor((LARGEST_PIECE * count) / size));
    return { count, logs: this.#lines(lines, start, Math.min(last + 1, count), step) };
  }

  async *#jobs(
    keys: QueueKeys,
    ids: readonly string[],
    first: readonly Job[],
  ): AsyncGenerator<readonly Job[]> {
    yield first;
    for (let read = 0; read < ids.length;) {
      const next = ids.slice(read, read + MOST_JOBS);
      const hashes = await this.#read(keys, next);
      read += hashes.length;
      yield shownJobs(keys, next, hashes);
    }
  }

  /** The hashes of the first of the jobs, of one at least. */
  async #read(keys: QueueKeys, ids: readonly string[]): Promise<readonly Hash[]> {
    const answer = await this.#scripts.run(readJobsScript, [keys.meta], [keys.jobPrefix, ...ids]);
    const hashes = answer as readonly Hash[];
    if (hashes.length > 0) return hashes;
    return [await this.#hash(keys.jobPrefix + (ids[0] as string))];
  }

  /** A job that is too large for a script. */
  async #hash(key: string): Promise<Hash> {
    const hash = await this.#readLarge(() => this.#client.hgetall(key));
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
      yield await this.#readLarge(() => this.#client.lrange(key, first, last));
    }
  }

  #readLarge<Value>(read: () => Promise<Value>): Promise<Value> {
    return this.#largeReads.run(() => this.#errors.run(read));
  }
}

/** The jobs of the hashes, the first of the ids being theirs. A job that is gone has an empty one. */
function shownJobs(keys: QueueKeys, ids: readonly string[], hashes: readonly Hash[]): Job[] {
  const jobs: Job[] = [];
  hashes.forEach((hash, index) => {
    if (hash.length === 0) return;
    jobs.push(jobFromRecord(ids[index] as string, jobRecord(hash), keys.qualifiedName));
  });
  return jobs;
}
