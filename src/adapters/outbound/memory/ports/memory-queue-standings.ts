/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  QueueStandingPort,
  StandingQuery,
} from '../../../../application/ports/queue-standing-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { QueueStanding } from '../../../../domain/workers/blocked.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The standings of the queues in the memory of this process. */
export class MemoryQueueStandings implements QueueStandingPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async standings(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]> {
    return queries.map(
      ({ queue, limiter }) =>
        this.#store.find(queue)?.standing(limiter) ?? { now: this.#store.now(), running: 0 },
    );
  }

  async noteClaim(queue: QueueName): Promise<boolean> {
    return this.#store.find(queue)?.noteClaim() ?? false;
  }
}
