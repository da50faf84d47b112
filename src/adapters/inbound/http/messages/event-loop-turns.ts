import { setImmediate } from 'node:timers/promises';

/** Gives each of those who ask a turn of the event loop of their own: other clients are served between. */
export class EventLoopTurns {
  #last: Promise<void> = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
