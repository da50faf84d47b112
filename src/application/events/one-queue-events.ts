import { comparePositions } from '../../domain/event-position.ts';
import { gapBetween } from '../../domain/queue-event.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { EventPort } from '../ports/event-port.ts';
import type { Deliver, EventSource, ReadOn, SourceSubscription } from './event-source.ts';

/** The events of one queue. */
export class OneQueueEvents implements EventSource {
  readonly name: string;
  readonly #events: EventPort;
  readonly #queue: QueueName;
  readonly #clock: ClockPort;

  constructor(events: EventPort, queue: QueueName, clock: ClockPort) {
    this.name = queue;
    this.#events = events;
    this.#queue = queue;
    this.#clock = clock;
  }

  async subscribe(deliver: Deliver): Promise<SourceSubscription> {
    const queue = this.#queue;
    const subscription = await this.#events.subscribe(queue, deliver);
    return {
      after: { id: subscription.after, queue },
      end: () => {
        subscription.end();
      },
    };
  }

  past(): ReadOn {
    const queue = this.#queue;
    return async (after, until) => {
      const { events, last: id, isEnd, lostBefore } = await this.#events.read(queue, after.id);
      const read = { id, queue };
      const last = isEnd && comparePositions(read, until) < 0 ? until : read;
      if (lostBefore === undefined) return { events, last };
      const gap = gapBetween(queue, after, { id: lostBefore, queue }, this.#clock.now());
      return { events: [gap, ...events], last };
    };
  }
}
