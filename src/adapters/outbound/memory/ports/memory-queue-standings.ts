/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  QueueStandingPort,
  StandingQuery,
} from '../../../../application/ports/queue-standing-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { QueueStanding } from '../../../../domain/workers/blocked.ts';
import type { StoredJob } from '../state/stored-job.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The standings of the queues in the memory of this process. */
export class MemoryQueueStandings implements QueueStandingPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async standings(queries: readonly StandingQuery[]): Promise<readonly QueueStanding[]> {
    return queries.map(
      (query) =>
        this.#store.find(query.queue)?.standing(query) ?? { now: this.#store.now(), running: 0 },
    );
  }

  async stuckParents(queue: QueueName): Promise<number> {
    const parents = this.#store.find(queue)?.parentsThatWait() ?? [];
    const isStuck = ({ id }: StoredJob): boolean =>
      this.#store.childrenOf(queue, id).some((child) => {
        const job = this.#store.find(child.queue)?.findStored(child.id);
        return child.ending === undefined && job?.status === 'failed';
      });
    return parents.filter(isStuck).length;
  }

  async noteClaim(queue: QueueName): Promise<boolean> {
    return this.#store.find(queue)?.noteClaim() ?? false;
  }
}
