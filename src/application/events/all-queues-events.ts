import type { ClockPort } from '../ports/clock-port.ts';
import type { EventPort } from '../ports/event-port.ts';
import type { Deliver, EventSource, ReadOn, SourceSubscription } from './event-source.ts';
import { FoundGaps } from './found-gaps.ts';
import type { PagesInUse } from './pages-in-use.ts';

/** The events of all queues. */
export class AllQueuesEvents implements EventSource {
  /** No queue has this name. */
  readonly name = '';
  readonly #events: EventPort;
  readonly #inUse: PagesInUse;
  readonly #clock: ClockPort;

  constructor(events: EventPort, inUse: PagesInUse, clock: ClockPort) {
    this.#events = events;
    this.#inUse = inUse;
    this.#clock = clock;
  }

  async subscribe(deliver: Deliver): Promise<SourceSubscription> {
    const ended = new AbortController();
    const { after, readings } = await this.#events.subscribeToAll(ended.signal);
    const gaps = new FoundGaps(this.#clock);
    const deliverReadings = async (): Promise<void> => {
      for await (const reading of readings) {
        const events = gaps.among(reading);
        if (events.length > 0) deliver(events);
      }
    };
    void deliverReadings();
    return {
      after,
      end: () => {
        ended.abort();
      },
    };
  }

  past(): ReadOn {
    const gaps = new FoundGaps(this.#clock);
    return async (after) => {
      const next = gaps.areOpen ? undefined : this.#inUse.next(this.name, after);
      if (next !== undefined) return next;
      const reading = await this.#events.readAll(after);
      const events = gaps.among(reading);
      const page = { events, last: reading.last };
      // Gaps are those of one reader.
      const isOfAll = events === reading.events && !gaps.areOpen;
      return isOfAll ? this.#inUse.first(this.name, after, page) : page;
    };
  }
}
