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
import type { StoreCommands } from '../connection/store-commands.ts';
import { JobAdding } from './job-adding.ts';
import { JobReader } from './job-reader.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';

/** Queues in a Redis-compatible store, in the layout that BullMQ's own clients read and write. */
export class RedisQueues implements QueuePort {
  readonly #keys: QueueKeysCache;
  readonly #adding: JobAdding;
  readonly #reader: JobReader;

  constructor(commands: StoreCommands, keys: QueueKeysCache, clock: ClockPort) {
    this.#reader = new JobReader(commands);
    this.#keys = keys;
    this.#adding = new JobAdding(commands, keys.prefix, this.#reader, clock);
  }

  add(
    queue: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]> {
    return this.#adding.add(this.#keys.get(queue), jobs, maxWaiting, maxWaitingOfGroup);
  }

  addOnce(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
    partOf?: HeldAttempt,
  ): Promise<AddedOnce> {
    const holder = partOf && {
      prefix: this.#keys.get(partOf.queue).jobPrefix,
      id: partOf.attempt.jobId,
      token: partOf.attempt.token,
    };
    return this.#adding.addOnce(this.#keys.get(queue), add, { ...identity, holder });
  }

  recall(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined> {
    return this.#adding.recall(this.#keys.get(queue), add, identity);
  }

  list(queue: QueueName, query: JobsQuery): Promise<JobsSlice> {
    return this.#reader.list(this.#keys.get(queue), query);
  }

  summary(queue: QueueName): Promise<QueueSummary> {
    return this.#reader.summary(this.#keys.get(queue));
  }

  find(queue: QueueName, jobId: string): Promise<Job | undefined> {
    return this.#reader.find(this.#keys.get(queue), jobId);
  }

  findEach(queue: QueueName, jobIds: readonly string[]): AsyncIterable<readonly Job[]> {
    return this.#reader.each(this.#keys.get(queue), jobIds);
  }

  attempts(queue: QueueName, jobId: string): Promise<JobAttempts | undefined> {
    return this.#reader.attempts(this.#keys.get(queue).jobPrefix + jobId);
  }

  logs(
    queue: QueueName,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined> {
    return this.#reader.logs(this.#keys.get(queue).jobPrefix + jobId, start, length);
  }
}
