/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  AddedOnce,
  JobAttempts,
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueuePort,
  QueueSummary,
  RepeatableJobs,
} from '../../../../application/ports/queue-port.ts';
import { attemptsCount } from '../../../../domain/attempts/attempt-record.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { JobOptions } from '../../../../domain/jobs/job-options.ts';
import type { AddedJob, Job, NewJob } from '../../../../domain/jobs/job.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { ShownOnce } from '../state/queue-adding.ts';
import { toJob } from '../state/stored-job.ts';

/** Queues in the memory of this process. Reading never creates one, so reads cannot fill it up. */
export class MemoryQueues implements QueuePort {
  readonly #store: MemoryStore;
  readonly #replica: string;

  /** @param replica the name of the only replica, as in its log lines. */
  constructor(store: MemoryStore, replica: string) {
    this.#store = store;
    this.#replica = replica;
  }

  async add(
    queue: QueueName,
    jobs: readonly NewJob[],
    maxWaiting?: number,
    maxWaitingOfGroup?: number,
  ): Promise<readonly AddedJob[]> {
    return this.#store.open(queue).add(jobs, maxWaiting, maxWaitingOfGroup);
  }

  async addOnce(queue: QueueName, add: RepeatableJobs, identity: AddIdentity): Promise<AddedOnce> {
    return whenShown(this.#store.open(queue).addOnce(add, identity));
  }

  async recall(
    queue: QueueName,
    add: RepeatableJobs,
    identity: AddIdentity,
  ): Promise<AddedOnce | undefined> {
    const recalled = this.#store.find(queue)?.recall(add, identity);
    return recalled && whenShown(recalled);
  }

  async list(queue: QueueName, query: JobsQuery): Promise<JobsSlice> {
    return this.#store.peek(queue).list(query);
  }

  async summary(queue: QueueName): Promise<QueueSummary> {
    return this.#store.peek(queue).summary();
  }

  async find(queue: QueueName, jobId: string): Promise<Job | undefined> {
    return this.#store.find(queue)?.find(jobId);
  }

  async *findEach(name: QueueName, jobIds: readonly string[]): AsyncGenerator<readonly Job[]> {
    const pieces = this.#store.find(name)?.reading.pieces(jobIds) ?? [];
    for await (const jobs of pieces) yield jobs.map((job) => toJob(job, name));
  }

  async attempts(queue: QueueName, jobId: string): Promise<JobAttempts | undefined> {
    const job = await this.#store.find(queue)?.reading.one(jobId);
    if (job === undefined) return undefined;
    const attempts = job.attempts.map((attempt) => ({ ...attempt, replica: this.#replica }));
    const { group } = job;
    const { tm: carrier } = JSON.parse(job.opts) as JobOptions;
    return {
      count: attemptsCount(attempts),
      attempts,
      ...(group && { group: group.id }),
      ...(typeof carrier === 'string' && { carrier }),
    };
  }

  async logs(
    queue: QueueName,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined> {
    return this.#store.find(queue)?.logs(jobId, start, length);
  }
}

async function whenShown(shown: ShownOnce): Promise<AddedOnce> {
  return 'jobs' in shown ? { ...shown, jobs: await shown.jobs } : shown;
}
