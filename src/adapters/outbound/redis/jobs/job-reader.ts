import { attemptsCount } from '../../../../domain/attempts/attempt-record.ts';
import type {
  JobAttempts,
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueueSummary,
} from '../../../../application/ports/queue-port.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import type { Job } from '../../../../domain/jobs/job.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { readAttempts } from '../layout/attempt-lines.ts';
import { addedOptions, isJobRecord, jobFromRecord, jobRecord } from '../layout/job-record.ts';
import { LARGEST_PIECE } from '../layout/largest-piece.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { queueSummary } from '../layout/queue-summary.ts';
import { TOO_LARGE } from '../lua/answers.ts';
import {
  readLogs,
  readRecorded,
  summarizeQueue,
  type Row,
  type Values,
} from '../scripts/reading.ts';
import { JobRows, type RowFields } from './job-rows.ts';

/** The most jobs, each requested separately, that one run reads. */
const MOST_SHARED_READS = 16;

const ALL: RowFields = { names: [] };

/** Reads jobs and logs of any size in pieces, so that no command holds the store for long. */
export class JobReader {
  readonly #commands: StoreCommands;
  readonly #rows: JobRows;
  /** Undefined for a job that found no room in the answer. */
  readonly #reads = new SharedRuns<QueueKeys, string, Row | undefined>(
    (keys, ids) => this.#rows.first(keys, ids, ALL),
    { most: MOST_SHARED_READS },
  );

  constructor(commands: StoreCommands) {
    this.#commands = commands;
    this.#rows = new JobRows(commands);
  }

  list(keys: QueueKeys, query: JobsQuery): Promise<JobsSlice> {
    return this.#rows.list(keys, query, ALL, (id, state, values) =>
      values.length === 0
        ? undefined
        : jobFromRecord(id, jobRecord(values as readonly string[]), keys.queue, state),
    );
  }

  async summary(keys: QueueKeys): Promise<QueueSummary> {
    return queueSummary(await this.#commands.call(summarizeQueue, keys));
  }

  async find(keys: QueueKeys, jobId: string): Promise<Job | undefined> {
    const row = await this.#reads.add(keys, jobId);
    if (row === null) return undefined;
    if (row !== undefined && row[1] !== TOO_LARGE) {
      return jobOf(keys, jobId, row[0] as JobState, row[1]);
    }
    for await (const [job] of this.each(keys, [jobId])) return job;
    return undefined;
  }

  /** The existing jobs with these ids, in pieces that one command may read. */
  each(keys: QueueKeys, ids: readonly string[]): AsyncGenerator<readonly Job[]> {
    return this.#rows.read(keys, ids, ALL, (...job) => jobOf(keys, ...job));
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
function jobOf(keys: QueueKeys, id: string, state: JobState, hash: Values): Job | undefined {
  const record = jobRecord(hash as readonly string[]);
  return isJobRecord(record) ? jobFromRecord(id, record, keys.queue, state) : undefined;
}
