import { checkDone, type ActionOutcome } from '../../domain/job-actions.ts';
import { isReservedJobId } from '../../domain/job-id.ts';
import { jobRetry, type JobRetryInput } from '../../domain/job-retry.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { JobControlPort } from '../ports/job-control-port.ts';

/**
 * What operators do to single jobs. Every method throws DomainError `job-not-found`, or `job-conflict` when
 * the state of the job does not allow it.
 */
export class JobActions {
  readonly #control: JobControlPort;

  constructor(control: JobControlPort) {
    this.#control = control;
  }

  async remove(queue: QueueName, jobId: string): Promise<void> {
    checkDone(await this.#unlessReserved(jobId, () => this.#control.remove(queue, jobId)));
  }

  async promote(queue: QueueName, jobId: string): Promise<void> {
    checkDone(await this.#unlessReserved(jobId, () => this.#control.promote(queue, jobId)));
  }

  /** @throws DomainError `invalid-request` too, naming the field. */
  async retry(queue: QueueName, jobId: string, input: JobRetryInput): Promise<void> {
    const retry = jobRetry(input);
    checkDone(await this.#unlessReserved(jobId, () => this.#control.retry(queue, jobId, retry)));
  }

  /** A store may keep something else than a job under a reserved id. */
  #unlessReserved(jobId: string, act: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
    return isReservedJobId(jobId) ? Promise.resolve({ kind: 'missing' }) : act();
  }
}
