import type { EventId } from '../../domain/event-id.ts';
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

/**
 * What happens in queues, whoever does it and on whatever replica. The store keeps the latest events of each queue,
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
}
