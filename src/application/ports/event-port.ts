import type { EventId } from '../../domain/events/event-id.ts';
import type { EventPosition } from '../../domain/events/event-position.ts';
import type { EventOrGap, QueueEvent } from '../../domain/events/queue-event.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** Receives the events of one queue in their order, each once, and a gap where some may have been lost. */
export type EventListener = (events: readonly EventOrGap[]) => void;

export interface EventSubscription {
  /** Every event behind this id is delivered. */
  readonly after: EventId;

  /** The listener is not called from now on. */
  end(): void;
}

/** Events of the past, oldest first. */
export interface KeptEvents {
  readonly events: readonly QueueEvent[];
  /** The id that was read up to. The store also keeps entries that are no events here. */
  readonly last: EventId;
  /** Whether the store kept nothing behind `last`. */
  readonly isEnd: boolean;
  /** The first id that was kept, when events between the requested id and this one may be lost. */
  readonly lostBefore?: EventId;
}

/** Events of a queue that are kept no longer: those behind `from` and before `to`. */
export interface LostEvents {
  readonly queue: QueueName;
  readonly from: EventPosition;
  readonly to: EventPosition;
}

/** Some events of all queues, in the order of their positions. */
export interface EventsOfAll {
  readonly events: readonly QueueEvent[];
  /** The position that was read up to. No later event will come before it. */
  readonly last: EventPosition;
  /** Whether the store kept nothing behind `last`. */
  readonly isEnd: boolean;
  /** Losses that were found. One behind `last` may be found again. */
  readonly lost: readonly LostEvents[];
  /**
   * Set when the clock of the store is behind the position that was read from: all queues, and the time of that
   * clock. Events until it reaches the position may come before the position, and are then not delivered.
   */
  readonly clockBehind?: { readonly queues: readonly QueueName[]; readonly now: EventPosition };
}

export interface AllEventsSubscription {
  /** Every event behind this position is delivered. */
  readonly after: EventPosition;

  /** The events, as a rule within 300 ms. They continue by themselves after the store was away. */
  readonly readings: AsyncIterable<EventsOfAll>;
}

/**
 * Reads and delivers the events of queues, whatever client or replica causes them. The store keeps the latest events
 * of each queue, and removes them with the queue.
 */
export interface EventPort {
  /**
   * Subscribes to the queue, whether it exists or not: events after this resolves are delivered within some 50 ms.
   * All subscribers on a replica share the work.
   *
   * @throws DomainError `store-unavailable`.
   */
  subscribe(queue: QueueName, listener: EventListener): Promise<EventSubscription>;

  /**
   * Reads some of the events behind an id that are kept.
   *
   * @throws DomainError `store-unavailable`.
   */
  read(queue: QueueName, after: EventId): Promise<KeptEvents>;

  /**
   * Subscribes to all listed queues, also to those that are created later. It is for one reader on each replica.
   *
   * @param ending ends the readings.
   * @throws DomainError `store-unavailable`.
   */
  subscribeToAll(ending: AbortSignal): Promise<AllEventsSubscription>;

  /**
   * Reads some of the events of all queues behind a position that are kept.
   *
   * @throws DomainError `store-unavailable`.
   */
  readAll(after: EventPosition): Promise<EventsOfAll>;
}
