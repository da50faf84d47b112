/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { BreakerPort } from '../../../../application/ports/breaker-port.ts';
import { openBreaker, type OpenBreaker } from '../../../../domain/attempts/breaker.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { closeBreaker } from '../../../../domain/transitions/queue-control.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The breakers of the queues in the memory of this process. */
export class MemoryBreaker implements BreakerPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async find(name: QueueName): Promise<OpenBreaker | undefined> {
    return this.#store.stepIfAny(name, ({ record }, now) => openBreaker(record.breaker, now));
  }

  async close(name: QueueName): Promise<void> {
    this.#store.stepIfAny(name, (queue) => {
      closeBreaker(queue);
    });
  }
}
