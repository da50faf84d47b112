import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptObserver, EndedAttempt, ReportedEnding } from '../ports/attempt-observer.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';

/** Several observers as one. */
export class AttemptObservers implements AttemptObserver {
  readonly #observers: readonly AttemptObserver[];

  constructor(...observers: readonly AttemptObserver[]) {
    this.#observers = observers;
  }

  started(queue: QueueName, attempt: Attempt): void {
    for (const observer of this.#observers) observer.started(queue, attempt);
  }

  ended(ended: EndedAttempt): void {
    for (const observer of this.#observers) observer.ended(ended);
  }

  accepted(queue: QueueName, attempt: Attempt, duration: number): void {
    for (const observer of this.#observers) observer.accepted(queue, attempt, duration);
  }

  reported(ended: ReportedEnding): void {
    for (const observer of this.#observers) observer.reported(ended);
  }

  lost(queue: QueueName, attempt: Attempt): void {
    for (const observer of this.#observers) observer.lost(queue, attempt);
  }

  cancelled(queue: QueueName, attempt: Attempt, duration: number): void {
    for (const observer of this.#observers) observer.cancelled(queue, attempt, duration);
  }

  stalled(queue: QueueName, jobId: string): void {
    for (const observer of this.#observers) observer.stalled(queue, jobId);
  }

  left(queue: QueueName): void {
    for (const observer of this.#observers) observer.left(queue);
  }
}
