import type {
  JobCancellation,
  JobControlPort,
} from '../../../application/ports/job-control-port.ts';
import type { ActionOutcome } from '../../../domain/jobs/job-actions.ts';
import type { JobChange } from '../../../domain/jobs/job-change.ts';
import type { JobRetry } from '../../../domain/jobs/job-retry.ts';
import type { JobState } from '../../../domain/jobs/job-status.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';
import type { QueueAccounts } from './queue-accounts.ts';
import type { StoreTimer } from './store-timer.ts';

/** Control of jobs as the store has it, with the time that each call takes and the jobs that it fails. */
export class MeasuredJobControl implements JobControlPort {
  readonly #control: JobControlPort;
  readonly #accounts: QueueAccounts;
  readonly #timer: StoreTimer;

  constructor(control: JobControlPort, accounts: QueueAccounts, timer: StoreTimer) {
    this.#control = control;
    this.#accounts = accounts;
    this.#timer = timer;
  }

  bringTogether(queue: QueueName, jobIds: readonly string[]): Promise<void> {
    return this.#timer.time(this.#control.bringTogether(queue, jobIds));
  }

  remove(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.remove(queue, jobId));
  }

  removeAlone(
    queue: QueueName,
    jobId: string,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.removeAlone(queue, jobId, within));
  }

  promote(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.promote(queue, jobId));
  }

  retry(
    queue: QueueName,
    jobId: string,
    retry: JobRetry,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.retry(queue, jobId, retry, within));
  }

  async cancel(
    queue: QueueName,
    jobId: string,
    cancellation: JobCancellation,
    within?: readonly JobState[],
  ): Promise<ActionOutcome> {
    const outcome = await this.#timer.time(
      this.#control.cancel(queue, jobId, cancellation, within),
    );
    if (outcome.kind === 'done') this.#accounts.of(queue).count('failed');
    return outcome;
  }

  change(queue: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.change(queue, jobId, change));
  }
}
