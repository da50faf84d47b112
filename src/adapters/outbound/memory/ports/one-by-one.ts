import { storeUnavailable } from '../../../../domain/errors.ts';

/** Runs tasks one after the other, in their order. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws what the task throws; the next one runs all the same. */
  run<Answer>(task: () => Promise<Answer>): Promise<Answer> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => undefined);
    return run;
  }

  /**
   * The same for a task that begins soon or not at all.
   *
   * @param patience in milliseconds.
   * @throws DomainError `store-unavailable` when its turn does not come within it.
   */
  runSoon<Answer>(task: () => Promise<Answer>, patience: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let isRefused = false;
      const timer = setTimeout(() => {
        isRefused = true;
        reject(storeUnavailable(new Error('Other large requests are in progress')));
      }, patience);
      this.run(async () => {
        clearTimeout(timer);
        if (!isRefused) await task().then(resolve, reject);
      }).catch(reject);
    });
  }
}
