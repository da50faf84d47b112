import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { AddedJob, Job, NewJob } from '../../../../domain/jobs/job.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  AddedOnce,
  HeldAttempt,
  JobAttempts,
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueuePort,
  QueueSummary,
  RepeatableJobs,
} from '../../../../application/ports/queue-port.ts';
import type { HooksOfQueues } from '../../../../application/ports/hooks-of-queues.ts';
import { hookOfQueue } from '../../../../domain/queues/own-queue.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { UnsentMessages } from './unsent-messages.ts';
import { JobAdding } from './job-adding.ts';
import { attemptsCount } from '../../../../domain/attempts/attempt-record.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import type { JobState } from '../../../../domain/jobs/job-status.ts';
import { SharedRuns } from '../connection/shared-runs.ts';
import { readAttempts } from '../layout/attempt-lines.ts';
import { addedOptions, jobFromRecord, jobRecord } from '../layout/job-record.ts';
import { LARGEST_PIECE } from '../layout/largest-piece.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { queueSummary } from '../layout/queue-summary.ts';
import { TOO_LARGE } from '../lua/answers.ts';
import { readLogs, readRecorded, summarizeQueue, type Row } from '../scripts/reading.ts';
import { ALL_FIELDS, jobOf, JobRows } from './job-rows.ts';

/** The most jobs, each requested separately, that one run reads. */
const MOST_SHARED_READS = 16;

/** Queues in a Redis-compatible store, in the layout that BullMQ's own clients read and write. */
export class RedisQueues implements QueuePort {
  readonly #store: StoreCommands;
  readonly #adding: JobAdding;
  readonly #unsent: UnsentMessages;
  readonly #rows: JobRows;
  /** Undefined for a job that found no room in the answer. */
  readonly #reads = new SharedRuns<QueueKeys, string, Row | undefined>(
    (keys, ids) => this.#rows.first(keys, ids, ALL_FIELDS),
    { most: () => MOST_SHARED_READS },
  );

  constructor(store: StoreCommands, clock: ClockPort, hooks: HooksOfQueues) {
    this.#store = store;
    this.#unsent = new UnsentMessages(store, clock, hooks);
    this.#adding = new JobAdding(store, clock);
    this.#rows = new JobRows(store);
  }

  async add(
    queue: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]> {
    const keys = this.#store.keysOf(queue);
    const added = await this.#adding.add(keys, jobs, maxWaiting, maxWaitingOfGroup);
    const ids = added.map(({ id }) => id);
    if (hookOfQueue(queue) !== undefined) await this.#unsent.note(queue, ids);
    return added;
  }

  addOnce(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
    partOf?: HeldAttempt,
  ): Promise<AddedOnce> {
    const holder = partOf && {
      prefix: this.#store.keysOf(partOf.queue).jobPrefix,
      id: partOf.attempt.jobId,
      token: partOf.attempt.token,
    };
    return this.#adding.addOnce(this.#store.keysOf(queue), add, { ...identity, holder });
  }

  recall(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined> {
    return this.#adding.recall(this.#store.keysOf(queue), add, identity);
  }

  list(queue: QueueName, query: JobsQuery): Promise<JobsSlice> {
    const keys = this.#store.keysOf(queue);
    return this.#rows.list(keys, query, ALL_FIELDS, (id, state, values) => {
      if (values.length === 0) return undefined;
      return jobFromRecord(id, jobRecord(values as readonly string[]), queue, state);
    });
  }

  async summary(queue: QueueName): Promise<QueueSummary> {
    return queueSummary(await this.#store.callOf(queue, summarizeQueue));
  }

  async find(queue: QueueName, jobId: string): Promise<Job | undefined> {
    const row = await this.#reads.add(this.#store.keysOf(queue), jobId);
    if (row === null) return undefined;
    if (row !== undefined && row[1] !== TOO_LARGE) {
      return jobOf(queue, jobId, row[0] as JobState, row[1]);
    }
    for await (const [job] of this.findEach(queue, [jobId])) return job;
    return undefined;
  }

  findEach(queue: QueueName, jobIds: readonly string[]): AsyncIterable<readonly Job[]> {
    return this.#rows.jobs(this.#store.keysOf(queue), jobIds);
  }

  async attempts(queue: QueueName, jobId: string): Promise<JobAttempts | undefined> {
    const job = this.#store.keysOf(queue).jobPrefix + jobId;
    const answer = await this.#store.call(readRecorded, { job });
    if (answer === undefined) return undefined;
    const [recorded, group, options] = answer;
    const attempts = readAttempts(recorded);
    const { tm: carrier, cost } = addedOptions(new Map([['opts', options]]));
    return {
      count: attemptsCount(attempts),
      attempts,
      ...(group !== NO_GROUP && { group }),
      ...(typeof cost === 'number' && { cost }),
      ...(typeof carrier === 'string' && { carrier }),
    };
  }

  async logs(
    queue: QueueName,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined> {
    const job = this.#store.keysOf(queue).jobPrefix + jobId;
    const lines = `${job}:logs`;
    const last = Math.min(start + length - 1, Number.MAX_SAFE_INTEGER);
    const answer = await this.#store.call(readLogs, { job, logs: lines }, { first: start, last });
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
      yield await this.#store.readLarge((client) => client.lrange(key, first, last));
    }
  }
}
