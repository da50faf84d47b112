/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type {
  EventFollowing,
  EventListener,
  EventPort,
  KeptEvents,
} from '../../../application/ports/event-port.ts';
import { BEFORE_EVENTS, type EventId } from '../../../domain/event-id.ts';
import type { QueueName } from '../../../domain/queue-name.ts';
import type { MemoryStore } from './memory-store.ts';

/** The events of queues in the memory of this process. */
export class MemoryEvents implements EventPort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async follow(queue: QueueName, listener: EventListener): Promise<EventFollowing> {
    const end = this.#store.eventFollowers.follow(queue, listener);
    return { after: this.#store.find(queue)?.events.last ?? BEFORE_EVENTS, end };
  }

  async read(queue: QueueName, after: EventId): Promise<KeptEvents> {
    const kept = this.#store.find(queue)?.events.behind(after);
    return kept ?? { events: [], last: after, isEnd: true };
  }
}
