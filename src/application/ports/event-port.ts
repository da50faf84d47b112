import type { EventId } from '../../domain/event-id.ts';
import type { EventPosition } from '../../domain/event-position.ts';
import type { EventOrGap, QueueEvent } from '../../domain/queue-event.ts';
import type { QueueName } from '../../domain/queue-name.ts';

/** Told events of one queue in their order, each once, and a gap where some may have been lost. */
export type EventListener = (events: readonly EventOrGap[]) => void;

export interface EventFollowing {
  /** Behind this id everything is told. */
  readonly after: EventId;

  /** Nothing is told from now on. */
  end(): void;
}

/** Events of the past, oldest first. */
export interface KeptEvents {
  readonly events: readonly QueueEvent[];
  /** How far was read: not all that the store keeps is an event that has a name here. */
  readonly last: EventId;
  /** Whether nothing was behind that. */
  readonly isEnd: boolean;
  /** The first id that was kept, when events behind the given id may have been before it. */
  readonly lostBefore?: EventId;
}

/** Events of a queue are kept no longer: those behind one position and before another. */
export interface LostEvents {
  readonly queue: QueueName;
  readonly from: EventPosition;
  readonly to: EventPosition;
}

/** Some events of all queues, in the order of their positions. */
export interface EventsOfAll {
  readonly events: readonly QueueEvent[];
  /** How far was read. Nothing happens before it any more. */
  readonly last: EventPosition;
  /** Whether nothing was behind that. */
  readonly isEnd: boolean;
  /** What was found to be lost, also behind what was read: that may be found again. */
  readonly lost: readonly LostEvents[];
  /**
   * The queues that there are, when the clock of the store is behind the position that was read from, and what it
   * says. What happens until it gets there may come before that position, and is not told then.
   */
  readonly clockBehind?: { readonly queues: readonly QueueName[]; readonly now: EventPosition };
}

export interface FollowingOfAll {
  /** Behind this position everything is told. */
  readonly after: EventPosition;

  /** What happens, as a rule within 300 ms. When the store was away, they go on by themselves. */
  readonly readings: AsyncIterable<EventsOfAll>;
}

/**
 * Reads and follows the events of queues, whoever causes them and on whatever replica. The store keeps the latest events of each queue,
 * and forgets them with the queue.
 */
export interface EventPort {
  /**
   * Follows the queue, whether it exists or not: what happens after this resolves is told within some 50 ms. All
   * that follow on a replica share the work.
   *
   * @throws DomainError `store-unavailable`.
   */
  follow(queue: QueueName, listener: EventListener): Promise<EventFollowing>;

  /**
   * Reads some of the events behind an id that are kept.
   *
   * @throws DomainError `store-unavailable`.
   */
  read(queue: QueueName, after: EventId): Promise<KeptEvents>;

  /**
   * Follows all queues that are listed, those too that come later. It is for one reader on each replica.
   *
   * @param ending ends the readings.
   * @throws DomainError `store-unavailable`.
   */
  followAll(ending: AbortSignal): Promise<FollowingOfAll>;

  /**
   * Reads some of the events of all queues behind a position that are kept.
   *
   * @throws DomainError `store-unavailable`.
   */
  readAll(after: EventPosition): Promise<EventsOfAll>;
}
