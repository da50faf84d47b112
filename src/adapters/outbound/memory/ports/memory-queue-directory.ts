/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  QueueDirectoryPort,
  QueueGlance,
} from '../../../../application/ports/queue-directory-port.ts';
import { heldAt } from '../../../../domain/attempts/gate.ts';
import { isOwnQueue } from '../../../../domain/queues/own-queue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { mapInTurns } from './map-in-turns.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The queues in the memory of this process, which no other client can create. */
export class MemoryQueueDirectory implements QueueDirectoryPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async names(): Promise<readonly QueueName[]> {
    const names: QueueName[] = [];
    for (const [name, queue] of this.#store.all()) {
      if (queue.record.isCreated && !isOwnQueue(name)) names.push(name);
    }
    return names;
  }

  async glances(queues: readonly QueueName[]): Promise<readonly (QueueGlance | undefined)[]> {
    return mapInTurns(queues, (name) => {
      const queue = this.#store.find(name);
      if (queue?.record.isCreated !== true) return undefined;
      const { isPaused, hold } = queue.record;
      const held = heldAt(hold, this.#store.now());
      const glance = { isPaused, ...queue.jobs.listed.summary() };
      return held === undefined ? glance : { ...glance, hold: held };
    });
  }

  async discover(): Promise<void> {
    // The store knows all queues.
  }
}
