import {
  BEFORE_EVENTS,
  compareEventIds,
  idBefore,
  type EventId,
} from '../../../../domain/events/event-id.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Consecutive entries of a stream. */
export interface StreamPart {
  readonly entries: readonly StreamEntry[];
  /** The id of the first entry, when earlier ones may be missing. */
  readonly lostBefore?: EventId;
}

/** The events that queues keep. */
export class KeptStreams {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  /** The id of the last event. @throws DomainError `store-unavailable`. */
  async last(queue: QueueName): Promise<EventId> {
    const { events } = this.#store.keysOf(queue);
    const [last] = await this.#store.run((client) =>
      client.xrevrange(events, '+', '-', 'COUNT', 1),
    );
    return last?.[0] ?? BEFORE_EVENTS;
  }

  /** About how many events the queue keeps, at least; undefined before it has any. @throws as `last`. */
  async most(queue: QueueName): Promise<number | undefined> {
    const { meta } = this.#store.keysOf(queue);
    const most = await this.#store.run((client) => client.hget(meta, 'opts.maxLenEvents'));
    return most === null ? undefined : Number(most);
  }

  /** Up to `most` entries after an id. @throws DomainError `store-unavailable`. */
  async behind(queue: QueueName, id: EventId, most: number): Promise<StreamPart> {
    const { events } = this.#store.keysOf(queue);
    // The read includes the entry with the id itself: while that is kept, no later one is missing.
    const start = id === BEFORE_EVENTS ? id : idBefore(id);
    // XREAD begins after an id in every version of the store, XRANGE does not.
    const read = await this.#store.run((client) =>
      client.xread('COUNT', most + 1, 'STREAMS', events, start),
    );
    const entries = read?.[0]?.[1] ?? [];
    if (entries[0]?.[0] === id) return { entries: entries.slice(1) };
    const lostBefore = await this.lostBefore(queue, id);
    return {
      entries: entries.slice(0, most),
      // More entries may have been dropped since then.
      ...(lostBefore !== undefined && { lostBefore: entries[0]?.[0] ?? lostBefore }),
    };
  }

  /**
   * The first kept id, when events between it and the given id may be missing.
   *
   * @throws DomainError `store-unavailable`.
   */
  async lostBefore(queue: QueueName, id: EventId): Promise<EventId | undefined> {
    const { events } = this.#store.keysOf(queue);
    const [[first], length, most = 0] = await Promise.all([
      this.#store.run((client) => client.xrange(events, '-', '+', 'COUNT', 1)),
      this.#store.run((client) => client.xlen(events)),
      this.most(queue),
    ]);
    if (first === undefined || compareEventIds(idBefore(first[0]), id) <= 0) return undefined;
    // A reader from before the first event has missed none unless some were dropped.
    if (id === BEFORE_EVENTS && length < most) return undefined;
    return first[0];
  }
}
