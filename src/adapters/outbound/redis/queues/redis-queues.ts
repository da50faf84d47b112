import type { AddedJob, Job, NewJob } from '../../../../domain/job.ts';
import { jsonText, type Json } from '../../../../domain/json.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  JobLogs,
  JobsQuery,
  JobsSlice,
  QueuePort,
} from '../../../../application/ports/queue-port.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import { Scripts, type ScriptArgument } from '../connection/scripts.ts';
import type { StoreErrors } from '../connection/store-errors.ts';
import { StoreTime } from '../connection/store-time.ts';
import { addJobsScript } from './add-jobs-script.ts';
import { addLogScript, updateProgressScript } from './attempt-scripts.ts';
import { JobReader } from './job-reader.ts';
import { jobFromRecord, jobRecord, storedOptions } from './job-record.ts';
import type { QueueCache } from './queue-cache.ts';
import type { QueueKeys } from './queue-keys.ts';
import { SharedAdds, type AddAnswer, type AddCall, type AddRun } from './shared-adds.ts';
import { isToken } from './token.ts';

/**
 * How late the store may begin to add jobs, in milliseconds: early enough that the answer comes before
 * the caller gives up.
 */
const ADD_DEADLINE = 1000;

/** Queues in a Redis-compatible store, in the layout that BullMQ's own clients read and write. */
export class RedisQueues implements QueuePort {
  readonly #scripts: Scripts;
  readonly #queues: QueueCache;
  readonly #clock: ClockPort;
  readonly #storeTime: StoreTime;
  readonly #adds: SharedAdds<QueueKeys>;
  readonly #reader: JobReader;

  constructor(client: RedisClient, queues: QueueCache, clock: ClockPort, errors: StoreErrors) {
    const scripts = [addJobsScript, updateProgressScript, addLogScript];
    this.#scripts = new Scripts(client, scripts, errors);
    this.#reader = new JobReader(client, errors);
    this.#queues = queues;
    this.#clock = clock;
    this.#storeTime = new StoreTime(client);
    this.#adds = new SharedAdds((keys, calls) => this.#runAdds(keys, calls));
  }

  async add(queue: string, jobs: readonly NewJob[]): Promise<readonly AddedJob[]> {
    const keys = this.#queues.get(queue);
    const { answers, timestamp } = await this.#adds.add(keys, addCall(jobs));
    return jobs.map((job, index) => {
      const answer = answers[index] as AddAnswer;
      if (typeof answer === 'string') return freshJob(answer, job, timestamp, keys);
      return jobFromRecord(answer[0], jobRecord(answer[1]), keys.qualifiedName);
    });
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

  async #runAdds(keys: QueueKeys, calls: readonly AddCall[]): Promise<AddRun> {
    const timestamp = this.#clock.now();
    const args: ScriptArgument[] = [keys.jobPrefix, timestamp, this.#storeTime.in(ADD_DEADLINE)];
    for (const call of calls) for (const argument of call.args) args.push(argument);
    const answers = await this.#scripts.run(addJobsScript, addKeys(keys), args);
    return { answers: answers as AddAnswer[], timestamp };
  }
}

function addCall(jobs: readonly NewJob[]): AddCall {
  const args: ScriptArgument[] = [];
  let size = 0;
  for (const { name, data, opts } of jobs) {
    const { jobId = '', delay, priority = 0, lifo = false } = opts;
    const text = jsonText(data);
    args.push(jobId, name, text, storedOptions(opts), delay, priority, lifo ? 1 : 0);
    size += name.length + text.length;
  }
  return { args, jobs: jobs.length, size };
}

function addKeys(keys: QueueKeys): string[] {
  return [
    keys.wait,
    keys.active,
    keys.prioritized,
    keys.delayed,
    keys.events,
    keys.meta,
    keys.id,
    keys.marker,
    keys.priorityCounter,
  ];
}

function freshJob(
  id: string,
  { name, data, opts }: NewJob,
  timestamp: number,
  keys: QueueKeys,
): AddedJob {
  return {
    id,
    name,
    data,
    opts,
    progress: 0,
    returnvalue: null,
    stacktrace: null,
    attemptsStarted: 0,
    attemptsMade: 0,
    delay: opts.delay,
    timestamp,
    queueQualifiedName: keys.qualifiedName,
  };
}
