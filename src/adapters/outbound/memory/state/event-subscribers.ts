import type { EventListener } from '../../../../application/ports/event-port.ts';
import type { EventOrGap } from '../../../../domain/events/queue-event.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';

interface Subscription {
  readonly listeners: Set<EventListener>;
  /** The events of this turn of the event loop, which the listeners receive together. */
  pending: EventOrGap[];
}

/** The listeners for the events of queues. */
export class EventSubscribers {
  readonly #queues = new Map<QueueName, Subscription>();
  readonly #ofAllQueues = new Set<(event: EventOrGap) => void>();

  /** Whether somebody listens to the events of a queue. */
  has(queue: QueueName): boolean {
    return this.#ofAllQueues.size > 0 || this.#queues.has(queue);
  }

  /** @returns a function that ends the subscription. */
  subscribe(queue: QueueName, listener: EventListener): () => void {
    this.#publish(queue);
    const subscription = this.#queues.get(queue) ?? { listeners: new Set(), pending: [] };
    this.#queues.set(queue, subscription);
    subscription.listeners.add(listener);
    return () => {
      subscription.listeners.delete(listener);
      if (subscription.listeners.size === 0) this.#queues.delete(queue);
    };
  }

  /** Passes the events of all queues to the listener, each at once. @returns a function that ends the subscription. */
  subscribeToAll(listener: (event: EventOrGap) => void): () => void {
    this.#ofAllQueues.add(listener);
    return () => this.#ofAllQueues.delete(listener);
  }

  /** @param event is called only when there is a listener for the queue. */
  readonly recorded = (queue: QueueName, event: () => EventOrGap): void => {
    for (const listener of this.#ofAllQueues) listener(event());
    const subscription = this.#queues.get(queue);
    if (subscription === undefined) return;
    if (subscription.pending.push(event()) > 1) return;
    setImmediate(() => {
      this.#publish(queue);
    });
  };

  #publish(queue: QueueName): void {
    const subscription = this.#queues.get(queue);
    if (subscription === undefined || subscription.pending.length === 0) return;
    const events = subscription.pending;
    subscription.pending = [];
    for (const listener of subscription.listeners) listener(events);
  }
}
