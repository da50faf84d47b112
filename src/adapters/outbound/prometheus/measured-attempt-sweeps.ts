import type { AttemptSweepPort } from '../../../application/ports/attempt-sweep-port.ts';
import type { OverdueAttempt } from '../../../domain/attempts/acceptance.ts';
import type { StalledCheck } from '../../../domain/attempts/stalled.ts';
import type { StoreTimer } from './store-timer.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** What the store does for the sweeps of attempts, with the time that each call takes. */
export class MeasuredAttemptSweeps implements AttemptSweepPort {
  readonly #attempts: AttemptSweepPort;
  readonly #timer: StoreTimer;

  constructor(attempts: AttemptSweepPort, timer: StoreTimer) {
    this.#attempts = attempts;
    this.#timer = timer;
  }

  recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck> {
    return this.#timer.time(this.#attempts.recoverStalled(queue, maxStalledCount));
  }

  pulledQueues(): Promise<readonly QueueName[]> {
    return this.#timer.time(this.#attempts.pulledQueues());
  }

  overdue(): Promise<readonly OverdueAttempt[]> {
    return this.#timer.time(this.#attempts.overdue());
  }
}
