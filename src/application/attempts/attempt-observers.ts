import type { AttemptEvent, AttemptObserver } from '../ports/attempt-observer.ts';

/** Passes each event on to several observers. */
export class AttemptObservers implements AttemptObserver {
  readonly #observers: readonly AttemptObserver[];

  constructor(...observers: readonly AttemptObserver[]) {
    this.#observers = observers;
  }

  observe(event: AttemptEvent): void {
    for (const observer of this.#observers) observer.observe(event);
  }
}
