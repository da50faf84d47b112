import type { DeliveredEvent } from '../../domain/digests/event-digest.ts';
import type { EventPosition } from '../../domain/events/event-position.ts';

/** Events as subscribers receive them, in order, and the position up to which nothing is left out. */
export interface DeliveredBatch {
  readonly events: readonly DeliveredEvent[];
  readonly last: EventPosition;
}
