/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { ErasurePort, ForgottenEvents } from '../../../../application/ports/erasure-port.ts';
import type { ErasureFilter } from '../../../../domain/jobs/erasure.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { forgetAdds } from '../../../../domain/transitions/forget-adds.ts';
import { forgetGroups } from '../../../../domain/transitions/groups/forgetting.ts';
import { redact } from '../../../../domain/transitions/redact.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import { JobReading } from './job-reading.ts';

/** Erases in the memory of this process. */
export class MemoryErasure implements ErasurePort {
  readonly #store: MemoryStore;
  readonly #scrub: () => Promise<void>;

  /** @param scrub has the file of the store, if it has one, overwrite what is removed from it. */
  constructor(store: MemoryStore, scrub: () => Promise<void> = () => Promise.resolve()) {
    this.#store = store;
    this.#scrub = scrub;
  }

  async redact(name: QueueName, ids: readonly string[], traces: Traces): Promise<number> {
    const queue = this.#store.find(name);
    if (queue === undefined) return 0;
    let redacted = 0;
    await new JobReading(queue).eachWhole(ids, (jobs) => {
      this.#store.run((now) => {
        for (const job of jobs) {
          redacted += Number(redact(queue, job, now, (text) => traces.holds(text)));
        }
      });
    });
    return redacted;
  }

  async forgetEvents(name: QueueName, traces: Traces): Promise<ForgottenEvents> {
    const queue = this.#store.find(name);
    const count = (await queue?.events.edit((event) => traces.eventWithout(name, event))) ?? 0;
    return { count, last: undefined };
  }

  async forgetAdds(name: QueueName, traces: Traces, filter: ErasureFilter): Promise<number> {
    return this.#store.stepIfAny(name, (queue) => forgetAdds(queue, traces, filter)) ?? 0;
  }

  async forgetGroups(name: QueueName, traces: Traces): Promise<void> {
    this.#store.stepIfAny(name, (queue) => {
      forgetGroups(queue, traces);
    });
  }

  async scrub(): Promise<void> {
    await this.#scrub();
  }
}
