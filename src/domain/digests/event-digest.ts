import type { StateCounts } from '../jobs/job-status.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { integer } from '../values/shape.ts';
import type { Blocked } from '../workers/blocked.ts';
import type { EventPosition } from '../events/event-position.ts';
import type { EventName, EventOrGap } from '../events/queue-event.ts';

/** Milliseconds between two digests of a queue (platform contract, section 10). */
export const digestInterval = integer(250, 60_000);

/** How many events of each name occurred; names without events are left out. */
export type Happened = Partial<Record<EventName, number>>;

/** What happened in a queue since the previous digest, and its current state. */
export interface EventDigest {
  /** The position of the last event that it counts. */
  readonly position: EventPosition;
  readonly name: 'digest';
  readonly data: {
    readonly queue: QueueName;
    /** When the state of the queue was read, epoch ms. */
    readonly timestamp: number;
    readonly happened: Happened;
    readonly counts: StateCounts;
    /** How long ago (ms) the oldest waiting or prioritized job could have started. */
    readonly oldestWaiting: number | null;
    readonly blocked: Blocked | null;
  };
}

/** What subscribers receive. */
export type DeliveredEvent = EventOrGap | EventDigest;
