import type { EventId } from '../../domain/events/event-id.ts';
import type { EventPosition } from '../../domain/events/event-position.ts';
import type { EventGap, EventOrGap } from '../../domain/events/queue-event.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Natures } from './nature.ts';

/** Receives the events of one queue in order, each once, and a gap where some may have been lost. */
export type EventListener = (events: readonly EventOrGap[]) => void;

export interface EventSubscription {
  /** Every event after this id is delivered. */
  readonly after: EventId;

  /** Ends the subscription: the listener is not called any more. */
  end(): void;
}

/** Past events, oldest first. */
export interface KeptEvents {
  /** A gap stands in the place of an event of which an erasure left nothing. */
  readonly events: readonly EventOrGap[];
  /** The id that was read up to. The store also has entries that are not events in this sense. */
  readonly last: EventId;
  /** Whether the store has nothing after `last`. */
  readonly isEnd: boolean;
  /** The first stored id, if events between the requested id and this one may have been lost. */
  readonly lostBefore?: EventId;
}

/** Events of a queue that are no longer stored: those after `from` and before `to`. */
export type LostEvents = Omit<EventGap['data'], 'timestamp'>;

/** Some events of all queues, ordered by position. */
export interface EventsOfAll {
  /** With gaps as those of one queue have. */
  readonly events: readonly EventOrGap[];
  /** The position that was read up to. No later event will precede it. */
  readonly last: EventPosition;
  /** Whether the store has nothing after `last`. */
  readonly isEnd: boolean;
  /** Gaps that were found. A gap that ends after `last` may be found again. */
  readonly lost: readonly LostEvents[];
  /**
   * Set when the store's clock is behind the position that was read from: all queues, and the time of that clock.
   * Events that occur before the clock reaches the position may precede it, and are then not delivered.
   */
  readonly clockBehind?: { readonly queues: readonly QueueName[]; readonly now: EventPosition };
}

export interface AllEventsSubscription {
  /** Every event after this position is delivered. */
  readonly after: EventPosition;

  /** The events, usually within 300 ms. They resume by themselves after an outage of the store. */
  readonly readings: AsyncIterable<EventsOfAll>;
}

/**
 * Reads and delivers the events of queues, regardless of which client or replica causes them. The store keeps the
 * latest events of each queue, and removes them along with the queue.
 */
export interface EventPort {
  /**
   * Subscribes to the queue, whether it exists or not: events that occur after this resolves are delivered within some
   * 50 ms. All subscribers on a replica share the work.
   *
   * @throws DomainError `store-unavailable`.
   */
  subscribe(queue: QueueName, listener: EventListener): Promise<EventSubscription>;

  /**
   * Reads some of the stored events after an id.
   *
   * @throws DomainError `store-unavailable`.
   */
  read(queue: QueueName, after: EventId): Promise<KeptEvents>;

  /**
   * Subscribes to all listed queues, including those that are created later. It supports one reader per replica.
   *
   * @param ending ends the readings.
   * @throws DomainError `store-unavailable`.
   */
  subscribeToAll(ending: AbortSignal): Promise<AllEventsSubscription>;

  /**
   * Reads some of the stored events of all queues after a position.
   *
   * @throws DomainError `store-unavailable`.
   */
  readAll(after: EventPosition): Promise<EventsOfAll>;
}

export const EVENT_NATURES: Natures<EventPort> = {
  subscribe: 'looks',
  read: 'reads queue',
  subscribeToAll: 'looks',
  readAll: 'reads store',
};
