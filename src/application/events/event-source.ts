import type { EventPosition } from '../../domain/event-position.ts';
import type { EventOrGap } from '../../domain/queue-event.ts';
import type { EventBatch } from './event-batch.ts';

/** What somebody can subscribe to. */
export interface EventSource {
  /** Tells sources from one another: who subscribes to the same shares what is read. */
  readonly name: string;

  /**
   * Tells what happens from now on, in its order.
   *
   * @returns the position behind which everything is told.
   * @throws DomainError `store-unavailable`.
   */
  follow(
    tell: (events: readonly EventOrGap[]) => void,
  ): Promise<{ readonly after: EventPosition; readonly end: () => void }>;

  /** What reads on, batch by batch, in what the store keeps. Each is for one reader. */
  past(): ReadOn;
}

/**
 * Reads some of what is behind a position.
 *
 * @param until is reached at least when nothing more is kept.
 * @throws DomainError `store-unavailable`.
 */
export type ReadOn = (after: EventPosition, until: EventPosition) => Promise<EventBatch>;
