import type { EventPosition } from '../../domain/events/event-position.ts';
import type { EventOrGap } from '../../domain/events/queue-event.ts';
import type { EventBatch } from './event-batch.ts';

/** Receives events, in their order. */
export type Deliver = (events: readonly EventOrGap[]) => void;

export interface SourceSubscription {
  /** Every event behind this position is delivered. */
  readonly after: EventPosition;
  readonly end: () => void;
}

/** Events that clients can subscribe to. */
export interface EventSource {
  /** Identifies the source: subscribers to sources of the same name share what is read. */
  readonly name: string;

  /**
   * Delivers events from now on.
   *
   * @throws DomainError `store-unavailable`.
   */
  subscribe(deliver: Deliver): Promise<SourceSubscription>;

  /** Returns a function that reads the events that the store keeps, batch by batch. Each is for one reader. */
  past(): ReadOn;
}

/**
 * Reads some of the events behind a position.
 *
 * @param until the least position to reach when the store keeps no more.
 * @throws DomainError `store-unavailable`.
 */
export type ReadOn = (after: EventPosition, until: EventPosition) => Promise<EventBatch>;
