import type { AddedJob, Job, NewJob } from '../../../../domain/job.ts';
import type { Json } from '../../../../domain/json.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueuePort,
} from '../../../../application/ports/queue-port.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import { Scripts } from '../connection/scripts.ts';
import type { StoreErrors } from '../connection/store-errors.ts';
import { addLogScript, updateProgressScript } from '../attempts/attempt-scripts.ts';
import { JobAdding } from './job-adding.ts';
import { JobReader } from './job-reader.ts';
import type { QueueCache } from '../layout/queue-cache.ts';
import { isToken } from '../attempts/token.ts';

/** Queues in a Redis-compatible store, in the layout that BullMQ's own clients read and write. */
export class RedisQueues implements QueuePort {
  readonly #scripts: Scripts;
  readonly #queues: QueueCache;
  readonly #adding: JobAdding;
  readonly #reader: JobReader;

  constructor(client: RedisClient, queues: QueueCache, clock: ClockPort, errors: StoreErrors) {
    this.#scripts = new Scripts(client, [updateProgressScript, addLogScript], errors);
    this.#reader = new JobReader(client, errors);
    this.#queues = queues;
    this.#adding = new JobAdding(client, this.#reader, clock, errors);
  }

  add(queue: string, jobs: readonly NewJob[]): Promise<readonly AddedJob[]> {
    return this.#adding.add(this.#queues.get(queue), jobs);
  }

  list(queue: string, query: JobsQuery): Promise<JobsSlice> {
    return this.#reader.list(this.#queues.get(queue), query);
  }

  find(queue: string, jobId: string): Promise<Job | undefined> {
    return this.#reader.find(this.#queues.get(queue), jobId);
  }

  async updateProgress(
    queue: string,
    jobId: string,
    token: string,
    progress: Json,
  ): Promise<boolean> {
    if (!isToken(token)) return false;
    const keys = this.#queues.get(queue);
    const job = keys.jobPrefix + jobId;
    const updated = await this.#scripts.run(
      updateProgressScript,
      [job, `${job}:lock`, keys.events, keys.meta],
      [token, jobId, JSON.stringify(progress)],
    );
    return updated === 1;
  }

  async addLog(queue: string, jobId: string, token: string, line: string): Promise<boolean> {
    if (!isToken(token)) return false;
    const job = this.#queues.get(queue).jobPrefix + jobId;
    const keys = [job, `${job}:lock`, `${job}:logs`];
    return (await this.#scripts.run(addLogScript, keys, [token, line])) === 1;
  }

  logs(queue: string, jobId: string, start: number, length: number): Promise<JobLogs | undefined> {
    return this.#reader.logs(this.#queues.get(queue).jobPrefix + jobId, start, length);
  }
}
