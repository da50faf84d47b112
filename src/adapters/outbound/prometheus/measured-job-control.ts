import type { JobControlPort } from '../../../application/ports/job-control-port.ts';
import type { ActionOutcome } from '../../../domain/job-actions.ts';
import type { JobChange } from '../../../domain/job-change.ts';
import type { JobRetry } from '../../../domain/job-retry.ts';
import type { QueueName } from '../../../domain/queue-name.ts';
import type { StoreTimer } from './store-timer.ts';

/** Control of jobs as the store has it, with the time that each call takes. */
export class MeasuredJobControl implements JobControlPort {
  readonly #control: JobControlPort;
  readonly #timer: StoreTimer;

  constructor(control: JobControlPort, timer: StoreTimer) {
    this.#control = control;
    this.#timer = timer;
  }

  remove(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.remove(queue, jobId));
  }

  promote(queue: QueueName, jobId: string): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.promote(queue, jobId));
  }

  retry(queue: QueueName, jobId: string, retry: JobRetry): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.retry(queue, jobId, retry));
  }

  change(queue: QueueName, jobId: string, change: JobChange): Promise<ActionOutcome> {
    return this.#timer.time(this.#control.change(queue, jobId, change));
  }
}
