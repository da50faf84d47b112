import { compareEventIds, type EventId } from './event-id.ts';

/**
 * A position in the events of all queues, which are ordered by id and then by queue name. The empty name precedes all
 * queues.
 */
export interface EventPosition {
  readonly id: EventId;
  readonly queue: string;
}

/** Sorts before every character that a queue name may contain. */
const BEHIND = '\u0000';

/** Less than 0 when the first of two comes before the second, more than 0 when it comes after. */
export function comparePositions(one: EventPosition, other: EventPosition): number {
  const order = compareEventIds(one.id, other.id);
  if (order !== 0 || one.queue === other.queue) return order;
  return one.queue < other.queue ? -1 : 1;
}

/**
 * The position right after another one, before any other at which an event can occur; each queue has its own positions.
 */
export function rightBehind({ id, queue }: EventPosition, place: string): EventPosition {
  const [name = ''] = queue.split(BEHIND);
  return { id, queue: name + BEHIND + place };
}
