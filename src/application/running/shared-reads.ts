/**
 * Runs reads for many callers. Callers that ask for the same while it is being read share the next run: each gets one
 * that began after its request.
 */
export class SharedReads<Answer> {
  readonly #running = new Map<string, Promise<Answer>>();
  readonly #next = new Map<string, Promise<Answer>>();

  /** @param key the same for the same read. @throws what the read throws. */
  run(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting;
    const running = this.#running.get(key);
    if (running === undefined) return this.#begin(key, read);
    const next = running
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(key);
        return this.#begin(key, read);
      });
    this.#next.set(key, next);
    return next;
  }

  #begin(key: string, read: () => Promise<Answer>): Promise<Answer> {
    const run = read().finally(() => {
      if (this.#running.get(key) === run) this.#running.delete(key);
    });
    this.#running.set(key, run);
    return run;
  }
}
