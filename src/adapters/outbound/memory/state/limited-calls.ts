import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { IndexedJob } from '../../../../domain/records/job-record.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';

const NOTHING: ReadonlyMap<QueueName, ReadonlyMap<string, number>> = new Map();

/** The calls that run under the limits of a store, each with how many of its jobs do. */
export class LimitedCalls {
  /** By limit, queue and call. */
  readonly #calls = new Map<string, Map<QueueName, Map<string, number>>>();

  /** Those under one limit, by queue. */
  of(limit: string): ReadonlyMap<QueueName, ReadonlyMap<string, number>> {
    return this.#calls.get(limit) ?? NOTHING;
  }

  /** @param jobs how many of them there are now in addition. */
  count(queue: QueueName, limits: IndexedJob['limits'], jobs: number): void {
    if (limits === undefined) return;
    const { call, names } = limits;
    for (const name of names) {
      const queues = keptOrMade(this.#calls, name, () => new Map<QueueName, Map<string, number>>());
      const calls = keptOrMade(queues, queue, () => new Map<string, number>());
      const left = (calls.get(call) ?? 0) + jobs;
      if (left > 0) calls.set(call, left);
      else calls.delete(call);
      if (calls.size === 0) queues.delete(queue);
      if (queues.size === 0) this.#calls.delete(name);
    }
  }

  /** Forgets those of a queue. @returns the limits. */
  forget(queue: QueueName): readonly string[] {
    const limits = [...this.#calls].filter(([, queues]) => queues.delete(queue));
    for (const [name, queues] of limits) if (queues.size === 0) this.#calls.delete(name);
    return limits.map(([name]) => name);
  }
}
