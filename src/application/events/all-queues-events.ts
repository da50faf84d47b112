import type { ClockPort } from '../ports/clock-port.ts';
import type { EventPort } from '../ports/event-port.ts';
import type { EventSource, ReadOn } from './event-source.ts';
import { FoundGaps } from './found-gaps.ts';

/** The events of all queues. */
export class AllQueuesEvents implements EventSource {
  /** No queue has this name. */
  readonly name = '';
  readonly #events: EventPort;
  readonly #clock: ClockPort;

  constructor(events: EventPort, clock: ClockPort) {
    this.#events = events;
    this.#clock = clock;
  }

  async follow(...[tell]: Parameters<EventSource['follow']>): ReturnType<EventSource['follow']> {
    const ended = new AbortController();
    const { after, readings } = await this.#events.followAll(ended.signal);
    const gaps = new FoundGaps(this.#clock);
    const tellOn = async (): Promise<void> => {
      for await (const reading of readings) {
        const events = gaps.among(reading);
        if (events.length > 0) tell(events);
      }
    };
    void tellOn();
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
      const reading = await this.#events.readAll(after);
      return { events: gaps.among(reading), last: reading.last };
    };
  }
}
