/**
 * Tells those who wait that something changed. Whoever looks at a state and then waits takes the
 * signal before looking, so that no change in between is missed.
 */
export class Notifier {
  #next = new AbortController();

  /** Aborts at the next notification. */
  get signal(): AbortSignal {
    return this.#next.signal;
  }

  notify(): void {
    const current = this.#next;
    this.#next = new AbortController();
    current.abort();
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
