import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import type { StoredJob } from './stored-job.ts';

/** The calls of one queue that run under limits, by their jobs. */
export class LimitedCalls {
  /** By limit and call, how many jobs the call has. */
  readonly #calls = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** The limits. */
  get names(): readonly string[] {
    return [...this.#calls.keys()];
  }

  callsOf(limit: string): ReadonlyMap<string, number> | undefined {
    return this.#calls.get(limit);
  }

  add({ limits }: StoredJob): void {
    if (limits === undefined) return;
    for (const name of limits.names) {
      const calls = keptOrMade(this.#calls, name, () => new Map<string, number>());
      calls.set(limits.call, (calls.get(limits.call) ?? 0) + 1);
    }
  }

  remove({ limits }: StoredJob): void {
    if (limits === undefined) return;
    for (const name of limits.names) {
      const calls = this.#calls.get(name);
      const left = (calls?.get(limits.call) ?? 1) - 1;
      if (left > 0) calls?.set(limits.call, left);
      else calls?.delete(limits.call);
      if (calls?.size === 0) this.#calls.delete(name);
    }
  }
}
