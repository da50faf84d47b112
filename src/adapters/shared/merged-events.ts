import type { EventId } from '../../domain/events/event-id.ts';
import { comparePositions, type EventPosition } from '../../domain/events/event-position.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** The items that were read of one queue, in its order. */
export interface QueuePart<Item> {
  readonly queue: QueueName;
  readonly items: readonly Item[];
  /** Whether there may be more behind the last of them. */
  readonly isCut: boolean;
}

export interface MergedParts<Item> {
  readonly items: readonly { readonly queue: QueueName; readonly item: Item }[];
  /** Everything up to here is among them. */
  readonly last: EventPosition;
}

/**
 * Merges the events of several queues after a position into one order, up to the point where all events of each queue
 * are known.
 *
 * @param end the position up to which the queues that are not cut were read completely.
 */
export function mergedEvents<Item>(
  parts: readonly QueuePart<Item>[],
  idOf: (item: Item) => EventId,
  after: EventPosition,
  end: EventPosition,
): MergedParts<Item> {
  let last = end;
  for (const { queue, items, isCut } of parts) {
    const [cut] = isCut ? items.slice(-1) : [];
    if (cut === undefined) continue;
    const known = { id: idOf(cut), queue };
    if (comparePositions(known, last) < 0) last = known;
  }
  const placed = parts.flatMap(({ queue, items }) =>
    items.map((item) => ({ queue, item, id: idOf(item) })),
  );
  const kept = placed.filter(
    (each) => comparePositions(each, after) > 0 && comparePositions(each, last) <= 0,
  );
  return { items: kept.sort(comparePositions), last };
}
