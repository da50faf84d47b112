import { compareEventIds, type EventId } from '../../domain/event-id.ts';
import type { EventOrGap } from '../../domain/queue-event.ts';

/** Events that are kept at hand for subscribers who are behind. */
const KEPT_AT_HAND = 5000;

/** Most events of a batch: what is made of one, such as its text, is made once for all subscribers. */
const BATCH = 50;

/** Events in their order, and how far they go. */
export interface EventBatch {
  readonly events: readonly EventOrGap[];
  readonly last: EventId;
}

/** The latest events of one queue, at hand for all its subscribers on this replica. */
export class EventFeed {
  readonly #batches: EventBatch[] = [];
  readonly #wakes = new Set<() => void>();
  /** All events behind this id, up to the last, are at hand. */
  #floor: EventId;
  #last: EventId;
  #size = 0;

  /** @param after behind this id everything is told to the feed. */
  constructor(after: EventId) {
    this.#floor = after;
    this.#last = after;
  }

  get floor(): EventId {
    return this.#floor;
  }

  get last(): EventId {
    return this.#last;
  }

  tell(events: readonly EventOrGap[]): void {
    for (let first = 0; first < events.length; first += BATCH) {
      const some = events.slice(first, first + BATCH);
      this.#last = (some.at(-1) as EventOrGap).id;
      this.#batches.push({ events: some, last: this.#last });
      this.#size += some.length;
    }
    while (this.#size > KEPT_AT_HAND) {
      const { events: forgotten, last } = this.#batches.shift() as EventBatch;
      this.#size -= forgotten.length;
      this.#floor = last;
    }
    for (const wake of this.#wakes) wake();
  }

  /** The next events behind an id, none when all were told; undefined when they are not at hand any more. */
  behind(id: EventId): EventBatch | undefined {
    if (compareEventIds(id, this.#floor) < 0) return undefined;
    if (compareEventIds(id, this.#last) >= 0) return { events: [], last: id };
    const next = this.#batches[this.#firstBehind(id)] as EventBatch;
    const { events, last } = next;
    if (compareEventIds((events[0] as EventOrGap).id, id) > 0) return next;
    return { events: events.filter((event) => compareEventIds(event.id, id) > 0), last };
  }

  /** Calls `wake` after each time that events were told. @returns what ends that. */
  onTold(wake: () => void): () => void {
    this.#wakes.add(wake);
    return () => this.#wakes.delete(wake);
  }

  /** Subscribers are mostly at the end, so the search is for halves of what is left. */
  #firstBehind(id: EventId): number {
    let [low, high] = [0, this.#batches.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareEventIds((this.#batches[middle] as EventBatch).last, id) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
