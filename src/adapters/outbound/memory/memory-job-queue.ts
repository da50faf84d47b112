/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueuePort,
} from '../../../application/ports/queue-port.ts';
import type { AddedJob, Job, NewJob } from '../../../domain/job.ts';
import type { MemoryQueues } from './memory-queues.ts';

/** Queues in the memory of this process. Reading never creates one, so reads cannot fill it up. */
export class MemoryJobQueue implements QueuePort {
  readonly #queues: MemoryQueues;

  constructor(queues: MemoryQueues) {
    this.#queues = queues;
  }

  async add(queue: string, jobs: readonly NewJob[]): Promise<readonly AddedJob[]> {
    return this.#queues.open(queue).add(jobs);
  }

  async list(queue: string, query: JobsQuery): Promise<JobsSlice> {
    return (this.#queues.find(queue) ?? this.#queues.unused).list(query);
  }

  async find(queue: string, jobId: string): Promise<Job | undefined> {
    return this.#queues.find(queue)?.find(jobId);
  }

  async logs(
    queue: string,
    jobId: string,
    start: number,
    length: number,
  ): Promise<JobLogs | undefined> {
    return this.#queues.find(queue)?.logs(jobId, start, length);
  }
}
