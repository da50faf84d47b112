/** Runs tasks one after the other, in their order. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  /** @throws what the task throws; the next one runs all the same. */
  run<Answer>(task: () => Promise<Answer>): Promise<Answer> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => undefined);
    return run;
  }
}
