import { keptOrMade } from '../../domain/values/kept-or-made.ts';

/**
 * Runs a step for many callers. Each caller gets a run that began after its request, since one in progress may have
 * read the state before a change. Callers that wait for the same run share it; those of another key do not.
 */
export class FreshRuns<Answer = void> {
  readonly #step: (key: string) => Promise<Answer>;
  readonly #running = new Map<string, Promise<Answer>>();
  readonly #next = new Map<string, Promise<Answer>>();

  constructor(step: (key: string) => Promise<Answer>) {
    this.#step = step;
  }

  /** The run in progress, for callers that do not need one of their own. */
  running(key = ''): Promise<Answer> | undefined {
    return this.#running.get(key);
  }

  /** Rejects if the step rejects. */
  run(key = ''): Promise<Answer> {
    return keptOrMade(this.#next, key, async () => {
      await this.#running.get(key)?.catch(() => undefined);
      this.#next.delete(key);
      const run = this.#step(key).finally(() => this.#running.delete(key));
      this.#running.set(key, run);
      return run;
    });
  }
}
