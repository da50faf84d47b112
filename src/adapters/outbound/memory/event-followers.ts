import type { EventListener } from '../../../application/ports/event-port.ts';
import type { QueueEvent } from '../../../domain/queue-event.ts';
import type { QueueName } from '../../../domain/queue-name.ts';

interface Followed {
  readonly listeners: Set<EventListener>;
  /** What happened in this turn of the event loop, which is told together. */
  untold: QueueEvent[];
}

/** Those who follow the events of queues. */
export class EventFollowers {
  readonly #queues = new Map<QueueName, Followed>();
  readonly #ofAll = new Set<(event: QueueEvent) => void>();

  /** @returns what ends it. */
  follow(queue: QueueName, listener: EventListener): () => void {
    this.#tell(queue);
    const followed = this.#queues.get(queue) ?? { listeners: new Set(), untold: [] };
    this.#queues.set(queue, followed);
    followed.listeners.add(listener);
    return () => {
      followed.listeners.delete(listener);
      if (followed.listeners.size === 0) this.#queues.delete(queue);
    };
  }

  /** Tells the events of all queues, each at once. @returns what ends it. */
  followAll(told: (event: QueueEvent) => void): () => void {
    this.#ofAll.add(told);
    return () => this.#ofAll.delete(told);
  }

  /** @param event is made only when somebody follows the queue. */
  readonly recorded = (queue: QueueName, event: () => QueueEvent): void => {
    for (const told of this.#ofAll) told(event());
    const followed = this.#queues.get(queue);
    if (followed === undefined) return;
    if (followed.untold.push(event()) > 1) return;
    setImmediate(() => {
      this.#tell(queue);
    });
  };

  #tell(queue: QueueName): void {
    const followed = this.#queues.get(queue);
    if (followed === undefined || followed.untold.length === 0) return;
    const events = followed.untold;
    followed.untold = [];
    for (const listener of followed.listeners) listener(events);
  }
}
