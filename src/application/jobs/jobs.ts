import { DomainError, requestTooLarge } from '../../domain/errors.ts';
import { isReservedJobId } from '../../domain/job-id.ts';
import { checkLogLine, checkProgress } from '../../domain/job-report.ts';
import { inListingOrder, type JobCounts, type JobStatus } from '../../domain/job-status.ts';
import { newJob, type AddedJob, type Job, type JobInput } from '../../domain/job.ts';
import type { Json } from '../../domain/json.ts';
import { checkPage } from '../../domain/page.ts';
import { checkQueueName, type QueueNameLimits } from '../../domain/queue-name.ts';
import type { AttemptPort } from '../ports/attempt-port.ts';
import type { JobLogs, JobsQuery, Pieces, QueuePort } from '../ports/queue-port.ts';

/** A page of a queue's jobs (specification, "JobsPage"). */
export interface JobsPage {
  readonly counts: JobCounts;
  readonly jobs: Pieces<Job>;
  readonly start: number;
  readonly length: number;
}

/** What clients do with jobs. Every method throws DomainError `invalid-request` for a bad queue name. */
export class Jobs {
  readonly #queues: QueuePort;
  readonly #attempts: AttemptPort;
  readonly #limits: QueueNameLimits;
  readonly #maxJobsPerAdd: number;

  constructor(
    queues: QueuePort,
    attempts: AttemptPort,
    limits: QueueNameLimits,
    maxJobsPerAdd: number,
  ) {
    this.#queues = queues;
    this.#attempts = attempts;
    this.#limits = limits;
    this.#maxJobsPerAdd = maxJobsPerAdd;
  }

  /**
   * Adds all the jobs or none.
   *
   * @throws DomainError `invalid-request` naming the first bad field, such as `[3].opts.priority`, or
   * `request-too-large`.
   */
  async add(queue: string, inputs: readonly JobInput[]): Promise<readonly AddedJob[]> {
    checkQueueName(queue, this.#limits);
    if (inputs.length > this.#maxJobsPerAdd) {
      throw requestTooLarge(`A request must add at most ${this.#maxJobsPerAdd} jobs`);
    }
    const jobs = inputs.map((input, index) => newJob(input, `[${index}]`));
    return jobs.length === 0 ? [] : this.#queues.add(queue, jobs);
  }

  /** @throws DomainError `queue-empty` when the queue holds no job of any status. */
  async list(queue: string, query: JobsQuery): Promise<JobsPage> {
    checkQueueName(queue, this.#limits);
    checkPage(query);
    const { start, length } = query;
    const statuses: readonly JobStatus[] = inListingOrder(query.statuses);
    const slice = await this.#queues.list(queue, { statuses, start, length });
    if (!slice.holdsJobs) throw new DomainError('queue-empty', 'Not found');
    return { counts: slice.counts, jobs: slice.jobs, start, length };
  }

  /** @throws DomainError `job-not-found`. */
  async read(queue: string, jobId: string): Promise<Job> {
    checkQueueName(queue, this.#limits);
    const job = isReservedJobId(jobId) ? undefined : await this.#queues.find(queue, jobId);
    if (job === undefined) throw jobNotFound();
    return job;
  }

  /**
   * @throws DomainError `unauthorized` unless the token is that of the job's running attempt, or
   * `request-too-large`.
   */
  async updateProgress(queue: string, jobId: string, token: string, progress: Json): Promise<void> {
    checkQueueName(queue, this.#limits);
    checkProgress(progress);
    const held = await this.#attempts.reportProgress(queue, { jobId, token }, progress);
    if (!held) throw wrongJobToken();
  }

  /**
   * @throws DomainError `unauthorized` unless the token is that of the job's running attempt, or
   * `request-too-large`.
   */
  async addLog(queue: string, jobId: string, token: string, line: string): Promise<void> {
    checkQueueName(queue, this.#limits);
    checkLogLine(line);
    const held = await this.#attempts.addLog(queue, { jobId, token }, line);
    if (!held) throw wrongJobToken();
  }

  /** @throws DomainError `job-not-found`. */
  async logs(queue: string, jobId: string, start: number, length: number): Promise<JobLogs> {
    checkQueueName(queue, this.#limits);
    checkPage({ start, length });
    const logs = isReservedJobId(jobId)
      ? undefined
      : await this.#queues.logs(queue, jobId, start, length);
    if (logs === undefined) throw jobNotFound();
    return logs;
  }
}

function jobNotFound(): DomainError {
  return new DomainError('job-not-found', 'Job not found');
}

function wrongJobToken(): DomainError {
  return new DomainError('unauthorized', 'The token is not that of a running attempt of this job');
}
