import { comparePositions } from '../../domain/event-position.ts';
import { gapBetween } from '../../domain/queue-event.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { EventPort } from '../ports/event-port.ts';
import type { EventSource, ReadOn } from './event-source.ts';

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

  async follow(...[tell]: Parameters<EventSource['follow']>): ReturnType<EventSource['follow']> {
    const queue = this.#queue;
    const following = await this.#events.follow(queue, tell);
    return {
      after: { id: following.after, queue },
      end: () => {
        following.end();
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
