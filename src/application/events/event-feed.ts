import { comparePositions, type EventPosition } from '../../domain/events/event-position.ts';
import { positionOf, type EventOrGap } from '../../domain/events/queue-event.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { inBatches, type EventBatch } from './event-batch.ts';

/** Events that are kept in memory for subscribers that lag behind. */
const MOST_KEPT = 5000;

interface KeptBatch extends EventBatch {
  /** The queues of its events. */
  readonly queues: ReadonlySet<QueueName>;
}

/** The latest events of one queue or of all queues, in memory for all subscribers on this replica. */
export class EventFeed {
  readonly #batches: KeptBatch[] = [];
  readonly #wakes = new Set<() => void>();
  /** All events after this position, up to the last one, are in memory. */
  #floor: EventPosition;
  #last: EventPosition;
  #size = 0;

  /** @param after every event after this position will be published to the feed. */
  constructor(after: EventPosition) {
    this.#floor = after;
    this.#last = after;
  }

  get floor(): EventPosition {
    return this.#floor;
  }

  get last(): EventPosition {
    return this.#last;
  }

  publish(events: readonly EventOrGap[]): void {
    const newest = events.at(-1);
    if (newest === undefined) return;
    for (const batch of inBatches({ events, last: positionOf(newest) })) {
      const queues = new Set(batch.events.map(({ data }) => data.queue));
      this.#batches.push({ ...batch, queues });
      this.#last = batch.last;
      this.#size += batch.events.length;
    }
    while (this.#size > MOST_KEPT) {
      const { events: forgotten, last } = this.#batches.shift() as KeptBatch;
      this.#size -= forgotten.length;
      this.#floor = last;
    }
    for (const wake of this.#wakes) wake();
  }

  /** The next events after a position, empty at the end of the feed; undefined when they are no longer in memory. */
  behind(position: EventPosition): EventBatch | undefined {
    if (comparePositions(position, this.#floor) < 0) return undefined;
    if (comparePositions(position, this.#last) >= 0) return { events: [], last: position };
    const next = this.#batches[this.#firstBehind(position)] as KeptBatch;
    const { events, last } = next;
    if (isBehind(events[0] as EventOrGap, position)) return next;
    return { events: events.filter((event) => isBehind(event, position)), last };
  }

  /** The queues of the kept events after a position. Many callers may ask in one turn of the event loop. */
  queuesBehind(position: EventPosition): ReadonlySet<QueueName> {
    const queues = new Set<QueueName>();
    if (comparePositions(position, this.#last) >= 0) return queues;
    const [next, ...others] = this.#batches.slice(this.#firstBehind(position));
    for (const event of next?.events ?? []) {
      if (isBehind(event, position)) queues.add(event.data.queue);
    }
    for (const batch of others) {
      for (const queue of batch.queues) queues.add(queue);
    }
    return queues;
  }

  /** Calls `wake` after each publication. @returns a function that stops this. */
  onPublished(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => this.#wakes.delete(wake);
  }

  /** Finds the first batch after a position by binary search, since most subscribers are near the end. */
  #firstBehind(position: EventPosition): number {
    let [low, high] = [0, this.#batches.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { last } = this.#batches[middle] as KeptBatch;
      if (comparePositions(last, position) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function isBehind(event: EventOrGap, position: EventPosition): boolean {
  return comparePositions(positionOf(event), position) > 0;
}
