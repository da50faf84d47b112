/**
 * Notifies waiters of a change. A waiter that reads a state and then waits must take the signal before it reads, so
 * that it misses no change in between.
 */
export class Notifier {
  /** Created lazily, since thousands of queues have no waiter. */
  #next: AbortController | undefined;
  #shared: Promise<void> | undefined;

  /** Aborts at the next notification. */
  get signal(): AbortSignal {
    this.#next ??= new AbortController();
    return this.#next.signal;
  }

  /** Resolves at the next notification. Any number of callers may wait, all for the same promise. */
  get notified(): Promise<void> {
    this.#shared ??= anyOf(this.signal);
    return this.#shared;
  }

  notify(): void {
    const current = this.#next;
    this.#next = undefined;
    this.#shared = undefined;
    current?.abort();
  }
}

/** Resolves as soon as one of the signals aborts. */
export function anyOf(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    if (signals.some(({ aborted }) => aborted)) done();
    else for (const signal of signals) signal.addEventListener('abort', done);
  });
}
