import { compareEventIds, type EventId } from './event-id.ts';

/**
 * A place in the order of the events of all queues: they come by their ids, and those of the same id by the names of
 * their queues. Before all queues is the empty name.
 */
export interface EventPosition {
  readonly id: EventId;
  readonly queue: string;
}

/** Sorts before every character that the name of a queue may have. */
const BEHIND = '\u0000';

/** Less than 0 when the first of two comes before the second, more than 0 when it comes after. */
export function comparePositions(one: EventPosition, other: EventPosition): number {
  const order = compareEventIds(one.id, other.id);
  if (order !== 0 || one.queue === other.queue) return order;
  return one.queue < other.queue ? -1 : 1;
}

/** Behind a position and before all others at which something can happen, with one place for each queue. */
export function rightBehind({ id, queue }: EventPosition, place: string): EventPosition {
  const [name = ''] = queue.split(BEHIND);
  return { id, queue: name + BEHIND + place };
}
