import { notFound } from '../../domain/errors.ts';
import type { AddIdentity } from '../../domain/jobs/add-identity.ts';
import {
  hasEnded,
  jobResult,
  resultTimeout,
  type JobResult,
} from '../../domain/jobs/job-result.ts';
import type { AddedJob, JobInput } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { JobEndingsPort } from '../ports/job-endings-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { TraceContext } from '../ports/tracing-port.ts';
import { JobWait, type JobWaitOutcome } from './job-wait.ts';
import type { Jobs } from './jobs.ts';

/** How to identify an add, and how long to wait for the end of its job. */
export interface AwaitedAddRequest {
  readonly identity: AddIdentity | undefined;
  /** The trace of the request, if it has one. */
  readonly context?: TraceContext | undefined;
  /** How long (ms) to wait for the end of the job. */
  readonly wait: number;
  /** Ends the wait early. */
  readonly signal: AbortSignal;
}

/** An added job, and whether it is known to have ended. */
export interface AwaitedAdd {
  /** The job as it ended or, if that is unknown, as it was added. */
  readonly job: AddedJob;
  readonly hasEnded: boolean;
  /** Whether the add was a repeat that added nothing. */
  readonly isRepeated: boolean;
}

/** Waits for the ends of jobs. */
export class JobWaits {
  readonly #jobs: Jobs;
  readonly #queues: QueuePort;
  readonly #endings: JobEndingsPort;
  readonly #clock: ClockPort;

  constructor(jobs: Jobs, queues: QueuePort, endings: JobEndingsPort, clock: ClockPort) {
    this.#jobs = jobs;
    this.#queues = queues;
    this.#endings = endings;
    this.#clock = clock;
  }

  /**
   * Adds the job and waits until it ends, or until the existing job in its place does.
   *
   * @throws DomainError like the adds of `Jobs`. It does not throw when the store goes away after the job was added.
   */
  async add(
    queue: QueueName,
    input: JobInput,
    { identity, context, wait: time, signal }: AwaitedAddRequest,
  ): Promise<AwaitedAdd> {
    const until = this.#clock.now() + time;
    const wait = await this.#begin(queue);
    try {
      const { jobs, isRepeated } = await this.#jobs.addOnce(queue, [input], identity, context);
      const added = jobs[0] as AddedJob;
      const ended = endedJob(added, await wait.outcome(added.id, { until, signal }));
      return { job: ended ?? added, hasEnded: ended !== undefined, isRepeated };
    } finally {
      wait.end();
    }
  }

  /**
   * Waits for the result of a job.
   *
   * @param timeout how long (ms) to wait for the end of the job.
   * @param signal ends the wait early; the latest known state is then returned.
   * @throws DomainError `job-not-found`, or `invalid-request` for a timeout out of bounds.
   */
  async result(
    queue: QueueName,
    jobId: string,
    timeout: number,
    signal: AbortSignal,
  ): Promise<JobResult> {
    checkShape(resultTimeout, timeout, 'timeout');
    const until = this.#clock.now() + timeout;
    const job = await this.#jobs.read(queue, jobId);
    if (hasEnded(job) || timeout === 0) return jobResult(job);
    const wait = await this.#begin(queue);
    try {
      const outcome = await wait.outcome(jobId, { until, signal });
      switch (outcome.kind) {
        case 'ended':
          return jobResult(outcome.job);
        case 'unended':
          return jobResult(outcome.job ?? job);
        case 'reported':
          return outcome.ending;
        case 'gone':
          throw notFound('job');
      }
    } finally {
      wait.end();
    }
  }

  /** Misses no end once this resolves. The caller must end the wait. */
  async #begin(queue: QueueName): Promise<JobWait> {
    return new JobWait(queue, await this.#endings.subscribe(queue), this.#queues, this.#clock);
  }
}

/** The ended job; if it was not kept, the added one with its reported ending. Undefined when the ending is unknown. */
function endedJob(added: AddedJob, outcome: JobWaitOutcome): AddedJob | undefined {
  switch (outcome.kind) {
    case 'ended':
      return { ...outcome.job, ...standingOf(added) };
    case 'reported': {
      const { ending } = outcome;
      return ending.state === 'completed'
        ? { ...added, returnvalue: ending.returnvalue }
        : { ...added, failedReason: ending.failedReason };
    }
    case 'unended':
    case 'gone':
      return undefined;
  }
}

/** Whether, and in which way, the add found an existing job in place of the requested one. */
function standingOf({ existed, deduplicated }: AddedJob): Partial<AddedJob> {
  return { ...(existed && { existed }), ...(deduplicated && { deduplicated }) };
}
