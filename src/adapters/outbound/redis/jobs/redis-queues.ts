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
import { JobReader } from './job-reader.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';

/** Queues in a Redis-compatible store, in the layout that BullMQ's own clients read and write. */
export class RedisQueues implements QueuePort {
  readonly #keys: QueueKeysCache;
  readonly #adding: JobAdding;
  readonly #reader: JobReader;
  readonly #unsent: UnsentMessages;

  constructor(
    commands: StoreCommands,
    keys: QueueKeysCache,
    clock: ClockPort,
    hooks: HooksOfQueues,
  ) {
    this.#unsent = new UnsentMessages(commands, clock, hooks);
    this.#reader = new JobReader(commands);
    this.#keys = keys;
    this.#adding = new JobAdding(commands, keys.prefix, this.#reader, clock);
  }

  async add(
    queue: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]> {
    const keys = this.#keys.get(queue);
    const added = await this.#adding.add(keys, jobs, maxWaiting, maxWaitingOfGroup);
    if (hookOfQueue(queue) !== undefined) {
      await this.#unsent.note(
        keys,
        added.map(({ id }) => id),
      );
    }
    return added;
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
