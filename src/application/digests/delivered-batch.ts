import type { DeliveredEvent } from '../../domain/digests/event-digest.ts';
import type { EventPosition } from '../../domain/events/event-position.ts';

/** What subscribers receive, in order, and the position that it reaches. */
export interface DeliveredBatch {
  readonly events: readonly DeliveredEvent[];
  readonly last: EventPosition;
}
