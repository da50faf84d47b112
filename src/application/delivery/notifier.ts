/**
 * Tells those who wait that something changed. Whoever looks at a state and then waits takes the
 * signal before looking, so that no change in between is missed.
 */
export class Notifier {
  /** Made when somebody waits: thousands of queues have nobody who does. */
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
