import type { StateCounts } from '../jobs/job-status.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { integer } from '../values/shape.ts';
import type { Blocked } from '../workers/blocked.ts';
import type { EventPosition } from '../events/event-position.ts';
import type { EventName, EventOrGap } from '../events/queue-event.ts';

/** Milliseconds between two digests of a queue (platform contract, section 10). */
export const digestInterval = integer(250, 60_000);

/** How many events of each name there were; a name without events is left out. */
export type Happened = Partial<Record<EventName, number>>;

/** What happened in a queue since the digest before, and how the queue is now. */
export interface EventDigest {
  /** That of the last event that it counts. */
  readonly position: EventPosition;
  readonly name: 'digest';
  readonly data: {
    readonly queue: QueueName;
    /** Epoch ms at which the queue was looked at. */
    readonly timestamp: number;
    readonly happened: Happened;
    readonly counts: StateCounts;
    /** For how long (ms) the oldest waiting or prioritized job could have started. */
    readonly oldestWaiting: number | null;
    readonly blocked: Blocked | null;
  };
}

/** What subscribers receive. */
export type DeliveredEvent = EventOrGap | EventDigest;
