import type { AttemptRecord, StoredAttempt } from '../../domain/attempts/attempt-record.ts';
import { keyRefused, type AddIdentity } from '../../domain/jobs/add-identity.ts';
import { counted, DomainError, existing, notFound, requestTooLarge } from '../../domain/errors.ts';
import type { GroupDefaults } from '../../domain/groups/group-settings.ts';
import { checkOrdered } from '../../domain/groups/ordered-jobs.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import { reportedLine, reportedProgress } from '../../domain/attempts/job-report.ts';
import {
  holdsNoJob,
  inListingOrder,
  type JobCounts,
  type StateCounts,
} from '../../domain/jobs/job-status.ts';
import {
  wasThere,
  type AddedJob,
  type Job,
  type JobInput,
  type NewJob,
} from '../../domain/jobs/job.ts';
import type { JobSummary } from '../../domain/jobs/job-summary.ts';
import { newJobs } from '../../domain/jobs/made-jobs.ts';
import type { Json } from '../../domain/values/json.ts';
import { checkPage } from '../../domain/values/page.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { mistakeInSize } from '../../domain/policies/job-size.ts';
import type { PolicyDefaults } from '../../domain/policies/policy.ts';
import { wrongJobToken } from '../attempts/wrong-job-token.ts';
import { namesCalled, type CalledOptions } from '../destinations/called-options.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { JobPartPort, JobValue } from '../ports/job-part-port.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type {
  AddedOnce,
  JobAttempts,
  JobLogs,
  JobsQuery,
  JobsSlice,
  Pieces,
  QueuePort,
} from '../ports/queue-port.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import type { TraceContext, TracingPort } from '../ports/tracing-port.ts';
import { traced } from '../running/traced.ts';
import { UnsettledAdds } from '../running/unsettled-adds.ts';

/** A page of a queue's jobs (specification, "JobsPage"). */
export interface JobsPage<Shown = Job> {
  /** The counts. The count of jobs that wait for children is included on request. */
  readonly counts: JobCounts & Partial<StateCounts>;
  readonly jobs: Pieces<Shown>;
  readonly start: number;
  readonly length: number;
}

/** The attempts of a job, each with its trace. */
export type AttemptsOfJob = Omit<JobAttempts, 'attempts' | 'carrier'> & {
  readonly attempts: readonly AttemptRecord[];
};

/** The jobs of an add, and whether it was a repeat that added nothing. */
export interface RepeatableAdd {
  readonly jobs: readonly AddedJob[];
  readonly isRepeated: boolean;
}

export interface JobsDependencies extends Pick<
  CommonPorts,
  'queues' | 'parts' | 'observer' | 'tracing'
> {
  readonly attempts: AttemptHolderPort;
  readonly policies: PoliciesInForce;
  readonly calledOptions: Pick<CalledOptions, 'prepared'>;
  readonly workers: WorkersInForce;
  /** How many jobs one call may add. */
  readonly maxJobsPerAdd: number;
}

/** The operations of clients on jobs. */
export class Jobs {
  readonly #queues: QueuePort;
  readonly #unsettled = new UnsettledAdds();
  readonly #parts: JobPartPort;
  readonly #attempts: AttemptHolderPort;
  readonly #policies: PoliciesInForce;
  readonly #calledOptions: JobsDependencies['calledOptions'];
  readonly #workers: WorkersInForce;
  readonly #observer: AttemptObserver;
  readonly #tracing: TracingPort | undefined;
  readonly #maxJobsPerAdd: number;

  constructor(dependencies: JobsDependencies) {
    this.#queues = dependencies.queues;
    this.#parts = dependencies.parts;
    this.#attempts = dependencies.attempts;
    this.#policies = dependencies.policies;
    this.#calledOptions = dependencies.calledOptions;
    this.#workers = dependencies.workers;
    this.#observer = dependencies.observer;
    this.#tracing = dependencies.tracing;
    this.#maxJobsPerAdd = dependencies.maxJobsPerAdd;
  }

  /**
   * Adds all the jobs or none.
   *
   * @param context the trace of the request, if it has one.
   * @param marks options of each job that no client can set.
   * @throws DomainError `invalid-request` naming the first bad field, such as `[3].opts.priority`,
   * `request-too-large`, or `queue-full`.
   */
  add(
    queue: QueueName,
    inputs: readonly JobInput[],
    context?: TraceContext,
    marks?: readonly object[],
  ): Promise<readonly AddedJob[]> {
    const span = this.#tracing?.add(queue, inputs.length, context);
    return traced(span, (carrier) => this.#add(queue, inputs, marks, carrier));
  }

  async #add(
    queue: QueueName,
    inputs: readonly JobInput[],
    marks: readonly object[] | undefined,
    carrier?: string,
  ): Promise<readonly AddedJob[]> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const { defaults, maxJobSize, maxWaiting } = this.#policies.of(queue) ?? {};
    const made = this.#prepared(queue, this.#newJobs(inputs, defaults, carrier));
    const jobs = marks === undefined ? made : made.map((job, index) => marked(job, marks[index]));
    const refusal = refusalOf(jobs, maxJobSize);
    if (refusal !== undefined) throw refusal;
    if (jobs.length === 0) return [];
    const groups = jobs.some(isGrouped) ? await this.#groups(queue, jobs) : undefined;
    const added = await this.#queues.add(queue, jobs, maxWaiting, groups?.maxWaiting);
    this.#count(queue, added);
    return added;
  }

  /**
   * Adds all the jobs or none, unless an earlier request already did; policy changes since then are ignored. Without an
   * identity, it adds them as `add` does.
   *
   * @throws DomainError like `add`, or `idempotency-key-reused` when the key was used for a different add, or
   * `idempotency-key-in-use` while the first one is in progress.
   */
  async addOnce(
    queue: QueueName,
    inputs: readonly JobInput[],
    identity: AddIdentity | undefined,
    context?: TraceContext,
  ): Promise<RepeatableAdd> {
    if (identity === undefined) {
      return { jobs: await this.add(queue, inputs, context), isRepeated: false };
    }
    return this.#unsettled.run(identity, () => {
      const span = this.#tracing?.add(queue, inputs.length, context);
      return traced(span, (carrier) => this.#addOnce(queue, inputs, identity, carrier));
    });
  }

  async #addOnce(
    queue: QueueName,
    inputs: readonly JobInput[],
    identity: AddIdentity,
    carrier?: string,
  ): Promise<RepeatableAdd> {
    if (!this.#policies.areKnown) await this.#policies.known();
    const { defaults = {}, maxJobSize, maxWaiting } = this.#policies.of(queue) ?? {};
    const jobs = this.#prepared(queue, this.#newJobs(inputs, defaults, carrier));
    const groups = jobs.some(isGrouped) ? await this.#groups(queue, jobs) : undefined;
    const maxWaitingOfGroup = groups?.maxWaiting;
    const add = { jobs, defaults, inputs, carrier, maxWaiting, maxWaitingOfGroup };
    const refusal = refusalOf(jobs, maxJobSize);
    if (refusal !== undefined) {
      const known = await this.#queues.recall(queue, add, identity);
      if (known === undefined) throw refusal;
      return repeatable(known);
    }
    const outcome = await this.#queues.addOnce(queue, add, identity);
    if (outcome.kind === 'added') this.#count(queue, outcome.jobs);
    return repeatable(outcome);
  }

  /** @throws DomainError `queue-empty` when the queue has no job in any status. */
  async list(queue: QueueName, query: JobsQuery): Promise<JobsPage> {
    checkPage(query);
    const statuses = inListingOrder(query.statuses);
    return pageOf({ ...query, statuses }, await this.#queues.list(queue, { ...query, statuses }));
  }

  /** A page like `list`, of jobs without the values of clients. */
  async listSummaries(queue: QueueName, query: JobsQuery): Promise<JobsPage<JobSummary>> {
    checkPage(query);
    const statuses = inListingOrder(query.statuses);
    return pageOf({ ...query, statuses }, await this.#parts.list(queue, { ...query, statuses }));
  }

  /** @throws DomainError `job-not-found`. */
  async readSummary(queue: QueueName, jobId: string): Promise<JobSummary> {
    if (!isReservedJobId(jobId)) {
      for await (const [summary] of this.#parts.summaries(queue, [jobId])) {
        if (summary !== undefined) return summary;
      }
    }
    throw notFound('job');
  }

  /**
   * A value of a job as JSON text in UTF-8.
   *
   * @throws DomainError `job-not-found`.
   */
  readValue(queue: QueueName, jobId: string, value: JobValue): Promise<Buffer> {
    return foundOf(jobId, () => this.#parts.value(queue, jobId, value));
  }

  /** @throws DomainError `job-not-found`. */
  read(queue: QueueName, jobId: string): Promise<Job> {
    return foundOf(jobId, () => this.#queues.find(queue, jobId));
  }

  /**
   * @throws DomainError `unauthorized` unless the token is that of the job's running attempt, or
   * `request-too-large`.
   */
  async updateProgress(
    queue: QueueName,
    jobId: string,
    token: string,
    progress: Json,
  ): Promise<void> {
    const stored = reportedProgress(progress);
    if (isReservedJobId(jobId)) throw wrongJobToken();
    const held = await this.#attempts.reportProgress(queue, { jobId, token }, stored);
    if (!held) throw wrongJobToken();
  }

  /**
   * @throws DomainError `unauthorized` unless the token is that of the job's running attempt, or
   * `request-too-large`.
   */
  async addLog(queue: QueueName, jobId: string, token: string, line: string): Promise<void> {
    const stored = reportedLine(line);
    if (isReservedJobId(jobId)) throw wrongJobToken();
    const held = await this.#attempts.addLog(queue, { jobId, token }, stored);
    if (!held) throw wrongJobToken();
  }

  /** @throws DomainError `job-not-found`. */
  async attempts(queue: QueueName, jobId: string): Promise<AttemptsOfJob> {
    const stored = await foundOf(jobId, () => this.#queues.attempts(queue, jobId));
    const { attempts, carrier, ...rest } = stored;
    return { ...rest, attempts: attempts.map((each) => this.#withTrace(each, carrier)) };
  }

  #withTrace({ taken, ...attempt }: StoredAttempt, carrier: string | undefined): AttemptRecord {
    const traceId = taken && this.#tracing?.traceIdOfTaken(taken, carrier);
    return traceId === undefined ? attempt : { ...attempt, traceId };
  }

  /** @throws DomainError `job-not-found`. */
  async logs(queue: QueueName, jobId: string, start: number, length: number): Promise<JobLogs> {
    checkPage({ start, length });
    return foundOf(jobId, () => this.#queues.logs(queue, jobId, start, length));
  }

  /**
   * The default settings of groups.
   *
   * @throws DomainError `invalid-request` for a job that may not belong to an ordered group.
   */
  async #groups(queue: QueueName, jobs: readonly NewJob[]): Promise<GroupDefaults | undefined> {
    const worker = await this.#workers.workerOf(queue);
    const groups = groupDefaults(queue, worker, this.#policies);
    for (const [index, { opts }] of jobs.entries()) checkOrdered(opts, groups, `[${index}].opts`);
    return groups;
  }

  #count(queue: QueueName, added: readonly AddedJob[]): void {
    const jobs = added.filter((job) => !wasThere(job)).length;
    if (jobs > 0) this.#observer.observe({ kind: 'added', queue, jobs });
  }

  /** The jobs with what they call as it is stored. @throws DomainError `invalid-request` naming the field. */
  #prepared(queue: QueueName, jobs: readonly NewJob[]): readonly NewJob[] {
    if (!jobs.some(({ opts }) => namesCalled(opts))) return jobs;
    return jobs.map((job, index) => ({
      ...job,
      opts: this.#calledOptions.prepared(queue, job.opts, `[${index}].opts`),
    }));
  }

  #newJobs(
    inputs: readonly JobInput[],
    defaults: PolicyDefaults | undefined,
    carrier: string | undefined,
  ): readonly NewJob[] {
    if (inputs.length > this.#maxJobsPerAdd) {
      throw requestTooLarge(`A request must add at most ${counted(this.#maxJobsPerAdd, 'job')}`);
    }
    return newJobs(inputs, defaults, carrier);
  }
}

/**
 * What is stored of a job. Under a reserved id, a store may keep something other than a job.
 *
 * @throws DomainError `job-not-found`.
 */
async function foundOf<Found>(
  jobId: string,
  read: () => Promise<Found | undefined>,
): Promise<Found> {
  return existing(isReservedJobId(jobId) ? undefined : await read(), 'job');
}

/** @throws DomainError `idempotency-key-reused` or `idempotency-key-in-use`. */
function repeatable(outcome: AddedOnce): RepeatableAdd {
  if ('jobs' in outcome) return { jobs: outcome.jobs, isRepeated: outcome.kind === 'repeated' };
  if (outcome.kind !== 'lost') throw keyRefused(outcome.kind);
  throw new Error('An add that is part of no attempt cannot lose it');
}

function marked(job: NewJob, mark: object | undefined): NewJob {
  return mark === undefined ? job : { ...job, opts: { ...job.opts, ...mark } };
}

function isGrouped({ opts }: NewJob): boolean {
  return opts.group !== undefined;
}

/** @throws DomainError `queue-empty`. */
export function pageOf<Shown>(
  { statuses, start, length }: JobsQuery,
  slice: JobsSlice<Shown>,
): JobsPage<Shown> {
  if (holdsNoJob(slice.counts)) throw new DomainError('queue-empty', 'Not found');
  const { 'waiting-children': parents, ...counts } = slice.counts;
  const isAsked = statuses.includes('waiting-children');
  return {
    counts: isAsked ? { ...counts, 'waiting-children': parents } : counts,
    jobs: slice.jobs,
    start,
    length,
  };
}

/** The error for the first job whose data exceeds the limit; undefined when all data fits. */
function refusalOf(jobs: readonly NewJob[], most: number | undefined): DomainError | undefined {
  for (const [index, { data }] of jobs.entries()) {
    const mistake = mistakeInSize(data, most);
    if (mistake !== undefined) return requestTooLarge(`[${index}].data ${mistake}`);
  }
  return undefined;
}
