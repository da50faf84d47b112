import { comparePositions, type EventPosition } from '../../domain/events/event-position.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import { positionOf, type EventOrGap } from '../../domain/events/queue-event.ts';

/**
 * Maximum number of events in a batch. Values derived from a batch, such as its text, are computed once for all
 * subscribers.
 */
const MOST_EVENTS = 50;

/** Events in order, and the position that they reach. */
export interface EventBatch {
  readonly events: readonly EventOrGap[];
  readonly last: EventPosition;
}

/** Splits a batch into batches of the usual size; a small enough batch is returned itself. */
export function inBatches(batch: EventBatch): readonly EventBatch[] {
  if (batch.events.length <= MOST_EVENTS) return [batch];
  const pieces = piecesOf(batch.events, MOST_EVENTS);
  return pieces.map((events, index) => {
    const reached = positionOf(events.at(-1) as EventOrGap);
    // While the store's clock is behind, gaps are ahead of the position of their reader, which does not move.
    const isAhead = comparePositions(reached, batch.last) > 0;
    return { events, last: isAhead || index === pieces.length - 1 ? batch.last : reached };
  });
}
