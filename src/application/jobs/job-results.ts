import { checkShape } from '../../domain/values/check-shape.ts';
import { jobNotFound } from '../../domain/jobs/job-actions.ts';
import { isReservedJobId } from '../../domain/jobs/job-id.ts';
import {
  hasEnded,
  jobResult,
  resultTimeout,
  type JobResult,
} from '../../domain/jobs/job-result.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { JobWaits } from './job-waits.ts';

/** Returns the results of jobs, and waits for them. */
export class JobResults {
  readonly #queues: QueuePort;
  readonly #waits: JobWaits;
  readonly #clock: ClockPort;

  constructor(queues: QueuePort, waits: JobWaits, clock: ClockPort) {
    this.#queues = queues;
    this.#waits = waits;
    this.#clock = clock;
  }

  /**
   * @param timeout how long (ms) to wait for the end of the job.
   * @param signal ends the wait early; the latest known state is then returned.
   * @throws DomainError `job-not-found`, or `invalid-request` for a timeout out of bounds.
   */
  async wait(
    queue: QueueName,
    jobId: string,
    timeout: number,
    signal: AbortSignal,
  ): Promise<JobResult> {
    checkShape(resultTimeout, timeout, 'timeout');
    const until = this.#clock.now() + timeout;
    const job = isReservedJobId(jobId) ? undefined : await this.#queues.find(queue, jobId);
    if (job === undefined) throw jobNotFound();
    if (hasEnded(job) || timeout === 0) return jobResult(job);
    const wait = await this.#waits.begin(queue);
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
          throw jobNotFound();
      }
    } finally {
      wait.end();
    }
  }
}
