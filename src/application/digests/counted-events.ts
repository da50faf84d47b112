import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { Happened } from '../../domain/digests/event-digest.ts';
import { comparePositions, type EventPosition } from '../../domain/events/event-position.ts';
import { positionOf, type EventName, type EventOrGap } from '../../domain/events/queue-event.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';

/** What happened in a queue. */
export interface QueueHappenings {
  readonly queue: QueueName;
  readonly happened: Happened;
  /** The position of its last event. */
  readonly position: EventPosition;
}

/** Counts the events of queues by name. Gaps are not counted, since their content is unknown. */
export class CountedEvents {
  readonly #isCounted: (name: EventName) => boolean;
  #queues = new Map<QueueName, { happened: Happened; position: EventPosition }>();

  /** @param names the names to count; all by default. */
  constructor(names?: ReadonlySet<EventName>) {
    this.#isCounted = (name) => names?.has(name) ?? true;
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  count(events: readonly EventOrGap[]): void {
    for (const event of events) {
      const { name, data } = event;
      if (name === 'gap' || !this.#isCounted(name)) continue;
      const position = positionOf(event);
      const counted = keptOrMade(this.#queues, data.queue, () => ({ happened: {}, position }));
      counted.happened[name] = (counted.happened[name] ?? 0) + 1;
      counted.position = position;
    }
  }

  /** The counts since the previous call, in the order of the positions. */
  take(): readonly QueueHappenings[] {
    const taken = Array.from(this.#queues, ([queue, counted]) => ({ queue, ...counted }));
    this.#queues = new Map();
    return taken.sort((one, other) => comparePositions(one.position, other.position));
  }
}
