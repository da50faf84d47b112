import { comparePositions } from '../../domain/events/event-position.ts';
import { gapBetween } from '../../domain/events/queue-event.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { EventPort } from '../ports/event-port.ts';
import type { SharedReads } from './shared-reads.ts';
import type { Deliver, EventSource, ReadOn, SourceSubscription } from './event-source.ts';

/** The events of one queue. */
export class OneQueueEvents implements EventSource {
  readonly name: string;
  readonly #events: EventPort;
  readonly #queue: QueueName;
  readonly #reads: SharedReads;
  readonly #clock: ClockPort;

  /** @param reads reads of past events, shared by all subscribers. */
  constructor(events: EventPort, reads: SharedReads, queue: QueueName, clock: ClockPort) {
    this.name = queue;
    this.#events = events;
    this.#reads = reads;
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
      const { batch, isEnd, lostBefore } = await this.#reads.read(queue, after.id);
      if (lostBefore === undefined && !isEnd) return batch;
      const last = isEnd && comparePositions(batch.last, until) < 0 ? until : batch.last;
      if (lostBefore === undefined) return { events: batch.events, last };
      const gap = gapBetween(queue, after, { id: lostBefore, queue }, this.#clock.now());
      return { events: [gap, ...batch.events], last };
    };
  }
}
