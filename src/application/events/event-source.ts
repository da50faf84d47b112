import type { EventPosition } from '../../domain/events/event-position.ts';
import type { EventOrGap } from '../../domain/events/queue-event.ts';
import type { EventBatch } from './event-batch.ts';

/** Receives events in order. */
export type Deliver = (events: readonly EventOrGap[]) => void;

export interface SourceSubscription {
  /** Every event after this position is delivered. */
  readonly after: EventPosition;
  readonly end: () => void;
}

/** Events that clients can subscribe to. */
export interface EventSource {
  /** Identifies the source: subscribers to sources of the same name share the reads. */
  readonly name: string;

  /**
   * Delivers events from now on.
   *
   * @throws DomainError `store-unavailable`.
   */
  subscribe(deliver: Deliver): Promise<SourceSubscription>;

  /** Returns a function that reads the stored events, batch by batch. Each function is for one reader. */
  past(): ReadOn;
}

/**
 * Reads some of the events after a position.
 *
 * @param until the position to reach at least when the store has no more events.
 * @throws DomainError `store-unavailable`.
 */
export type ReadOn = (after: EventPosition, until: EventPosition) => Promise<EventBatch>;
