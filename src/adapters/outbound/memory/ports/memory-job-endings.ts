import type {
  EndingSubscription,
  JobEndingsPort,
} from '../../../../application/ports/job-endings-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The ends of jobs in the memory of this process, reported as they happen. */
export class MemoryJobEndings implements JobEndingsPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  subscribe(queue: QueueName): Promise<EndingSubscription> {
    return Promise.resolve(this.#store.endingSubscribers.subscribe(queue));
  }
}
