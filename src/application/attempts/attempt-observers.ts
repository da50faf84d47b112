import { isOwnQueue } from '../../domain/queues/own-queue.ts';
import type { AttemptEvent, AttemptObserver } from '../ports/attempt-observer.ts';

/** Passes each event on to several observers, except those of the service's own queues, which no figure counts. */
export class AttemptObservers implements AttemptObserver {
  readonly #observers: readonly AttemptObserver[];

  constructor(...observers: readonly AttemptObserver[]) {
    this.#observers = observers;
  }

  observe(event: AttemptEvent): void {
    if (isOwnQueue(event.queue)) return;
    for (const observer of this.#observers) observer.observe(event);
  }
}
