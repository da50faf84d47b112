import type { AttemptHolderPort } from '../../../application/ports/attempt-holder-port.ts';
import type { AttemptEnding } from '../../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../../domain/attempts/attempt.ts';
import type { ReportOutcome } from '../../../domain/attempts/attempt-report.ts';
import type { Json } from '../../../domain/values/json.ts';
import type { StoreTimer } from './store-timer.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** What the store does for the holders of attempts, with the time that each call takes. */
export class MeasuredAttemptHolders implements AttemptHolderPort {
  readonly #attempts: AttemptHolderPort;
  readonly #timer: StoreTimer;

  constructor(attempts: AttemptHolderPort, timer: StoreTimer) {
    this.#attempts = attempts;
    this.#timer = timer;
  }

  holds(queue: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#timer.time(this.#attempts.holds(queue, attempt));
  }

  wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#timer.time(this.#attempts.wasReported(queue, attempt));
  }

  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#timer.time(this.#attempts.extend(queue, attempt, duration));
  }

  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#timer.time(this.#attempts.accept(queue, attempt, duration));
  }

  reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome> {
    return this.#timer.time(this.#attempts.reportEnding(queue, attempt, ending));
  }

  reportRelease(queue: QueueName, attempt: AttemptKey, delay: number): Promise<ReportOutcome> {
    return this.#timer.time(this.#attempts.reportRelease(queue, attempt, delay));
  }

  reportProgress(queue: QueueName, attempt: AttemptKey, progress: Json): Promise<boolean> {
    return this.#timer.time(this.#attempts.reportProgress(queue, attempt, progress));
  }

  addLog(queue: QueueName, attempt: AttemptKey, line: string): Promise<boolean> {
    return this.#timer.time(this.#attempts.addLog(queue, attempt, line));
  }
}
