/**
 * Runs a step for many callers. Each caller gets a run that began after its request, since one in progress may have
 * read the state before a change. Callers that wait for the same run share it.
 */
export class FreshRuns {
  readonly #step: () => Promise<void>;
  /** Resolves after the latest run, whether it failed or not. */
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;
  #running: Promise<void> | undefined;

  constructor(step: () => Promise<void>) {
    this.#step = step;
  }

  /** The run in progress, for callers that do not need one of their own. */
  get running(): Promise<void> | undefined {
    return this.#running;
  }

  /** Rejects if the step rejects. */
  run(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = this.#last.then(() => {
        this.#next = undefined;
        this.#running = this.#step().finally(() => {
          this.#running = undefined;
        });
        return this.#running;
      });
      this.#last = this.#next.catch(() => undefined);
    }
    return this.#next;
  }
}
