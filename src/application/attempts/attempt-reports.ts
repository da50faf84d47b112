import { REPORTED } from '../../domain/attempts/breaker.ts';
import {
  lockExtensionShape,
  releaseReportShape,
  reportedReason,
  type FailureReport,
  type LockExtension,
  type ReleaseReport,
} from '../../domain/attempts/attempt-report.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Json } from '../../domain/values/json.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { reportedCost } from '../../domain/queues/start-cost.ts';
import { wrongJobToken } from './wrong-job-token.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import { withCost } from '../../domain/attempts/attempt-record.ts';
import {
  attemptFailed,
  failedForGood,
  withCall,
  withTrace,
  type AttemptEnding,
} from '../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../domain/attempts/attempt.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { ReportOutcome } from '../../domain/attempts/attempt-report.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { TracingPort } from '../ports/tracing-port.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';

export interface AttemptReportsDependencies extends Pick<
  CommonPorts,
  'queues' | 'observer' | 'tracing' | 'clock'
> {
  readonly attempts: AttemptHolderPort;
  readonly workers: WorkersInForce;
}

/**
 * Serves the holder of an attempt's token: a client that pulled the job, an endpoint that accepted it, or an endpoint
 * during its call. Every method throws DomainError `unauthorized` when the token no longer holds the job, and
 * `invalid-request` naming the field. `cost` is what the start of the attempt counted in limiters, if the call says so.
 */
export class AttemptReports {
  readonly #attempts: AttemptHolderPort;
  readonly #queues: QueuePort;
  readonly #workers: WorkersInForce;
  readonly #observer: AttemptObserver;
  readonly #tracing: TracingPort | undefined;
  readonly #clock: ClockPort;

  constructor(dependencies: AttemptReportsDependencies) {
    this.#attempts = dependencies.attempts;
    this.#queues = dependencies.queues;
    this.#workers = dependencies.workers;
    this.#observer = dependencies.observer;
    this.#tracing = dependencies.tracing;
    this.#clock = dependencies.clock;
  }

  /** Checks only the token, before the body is read. Also accepts the token of a report that may be repeated. */
  async checkToken(queue: QueueName, attempt: AttemptKey): Promise<void> {
    if (isReservedJobId(attempt.jobId)) throw wrongJobToken();
    if (await this.#attempts.holds(queue, attempt)) return;
    if (!(await this.#attempts.wasReported(queue, attempt))) throw wrongJobToken();
  }

  /** Completes the job. The report may be repeated for REPORT_MEMORY, with any return value. */
  async complete(
    queue: QueueName,
    attempt: AttemptKey,
    returnvalue: Json,
    cost?: number,
  ): Promise<void> {
    const worker = await this.#workers.workerOf(queue);
    const call = withCost({ outcome: 'completed' }, cost);
    const keep = worker?.opts?.removeOnComplete;
    const ending = { kind: 'completed', returnvalue, keep, call } as const;
    // The job determines the trace that it belongs to, and what its start counted before.
    const isNeeded = this.#tracing !== undefined || cost !== undefined;
    const job = isNeeded ? await this.#find(queue, attempt) : undefined;
    await this.#end(queue, attempt, await this.#inCall(ending, queue, attempt, worker), job);
  }

  /** Fails the attempt, and the job if no further attempt may follow. The report may be repeated for REPORT_MEMORY. */
  async fail(
    queue: QueueName,
    attempt: AttemptKey,
    report: FailureReport,
    cost?: number,
  ): Promise<void> {
    const reason = reportedReason(report);
    const worker = await this.#workers.workerOf(queue);
    const job = await this.#find(queue, attempt);
    const keep = worker?.opts?.removeOnFail;
    const call = withCost({ outcome: 'failed' }, reportedCost(report.cost) ?? cost);
    // This may be a repeated report for a job that is gone.
    const isLast = job === undefined || report.retry === false;
    const ending = isLast
      ? failedForGood(keep, reason, call)
      : attemptFailed(keep, { ...attempt, job }, reason, call, this.#clock.now(), report.delay);
    await this.#end(queue, attempt, await this.#inCall(ending, queue, attempt, worker), job);
  }

  /** @returns until when (epoch ms) the job is held without another extension. */
  async extend(queue: QueueName, attempt: AttemptKey, input: LockExtension): Promise<number> {
    checkShape(lockExtensionShape, input, '');
    const { lock } = input;
    const until = this.#clock.now() + lock;
    if (!isReservedJobId(attempt.jobId) && (await this.#attempts.extend(queue, attempt, lock))) {
      return until;
    }
    throw wrongJobToken();
  }

  /** Puts the job back as if it had never been taken. The report may be repeated for REPORT_MEMORY. */
  async release(
    queue: QueueName,
    attempt: AttemptKey,
    input: ReleaseReport,
    cost?: number,
  ): Promise<void> {
    checkShape(releaseReportShape, input, '');
    if (isReservedJobId(attempt.jobId)) throw wrongJobToken();
    const outcome = await this.#attempts.reportRelease(queue, attempt, input.delay ?? 0, cost);
    if (outcome === 'refused') throw wrongJobToken();
  }

  #find(queue: QueueName, { jobId }: AttemptKey): Promise<Job | undefined> {
    return isReservedJobId(jobId) ? Promise.resolve(undefined) : this.#queues.find(queue, jobId);
  }

  async #end(
    queue: QueueName,
    attempt: AttemptKey,
    untraced: AttemptEnding,
    job?: Job,
  ): Promise<void> {
    const ending = withTrace(untraced, job && this.#tracing?.traceIdOf(attempt, job));
    const reported = ending.kind === 'deferred' ? ending : { ...ending, verdict: REPORTED };
    const outcome: ReportOutcome = isReservedJobId(attempt.jobId)
      ? 'refused'
      : await this.#attempts.reportEnding(queue, attempt, reported);
    if (outcome === 'refused') throw wrongJobToken();
    if (outcome === 'recorded') {
      this.#observer.observe({ kind: 'reported', queue, attempt, ending, job, isQuoted: true });
    }
  }

  /** The ending, with the call for several jobs that the attempt belongs to added to its record, if any. */
  async #inCall(
    ending: AttemptEnding,
    queue: QueueName,
    attempt: AttemptKey,
    worker: Worker | undefined,
  ): Promise<AttemptEnding> {
    if (worker?.opts?.batch === undefined) return ending;
    return withCall(ending, await this.#attempts.callOf(queue, attempt));
  }
}
