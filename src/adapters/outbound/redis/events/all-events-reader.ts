import { setTimeout as sleep } from 'node:timers/promises';
import type { EventsOfAll } from '../../../../application/ports/event-port.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { EventPosition } from '../../../../domain/events/event-position.ts';
import type { AllStreams } from './all-streams.ts';

/** The pauses between two readings, in milliseconds: after one that found events, and the longest. */
const SHORTEST_PAUSE = 40;
const LONGEST_PAUSE = 200;

/** Factor by which the pause grows after each reading that found no event. */
const GROWTH = 1.5;

/** Readings take at most one part in this many of the time, as long as the rest stays below its maximum. */
const PARTS = 5;

/** The longest rest, in milliseconds: events must arrive in time with any number of queues. */
const LONGEST_REST = 500;

/** Pause after a failed reading, in milliseconds. */
const RETRY_PAUSE = 500;

/**
 * Reads the streams of all queues while there is a subscriber. It polls: with many streams, a read that blocks until
 * something is written would cost the store more than one that finds nothing.
 */
export class AllEventsReader {
  readonly #streams: AllStreams;
  readonly #logger: LoggerPort;

  constructor(streams: AllStreams, logger: LoggerPort) {
    this.#streams = streams;
    this.#logger = logger;
  }

  /** Yields the events after a position until `ending` aborts. */
  async *readings(after: EventPosition, ending: AbortSignal): AsyncGenerator<EventsOfAll> {
    let last = after;
    let pause = SHORTEST_PAUSE;
    while (!ending.aborted) {
      const started = performance.now();
      const reading = await this.#read(last);
      if (reading !== undefined) {
        ({ last } = reading);
        yield reading;
        if (!reading.isEnd) continue;
      }
      const isQuiet = reading === undefined || reading.events.length === 0;
      pause = isQuiet ? Math.min(pause * GROWTH, LONGEST_PAUSE) : SHORTEST_PAUSE;
      const rest = Math.min((performance.now() - started) * (PARTS - 1), LONGEST_REST);
      const time = reading === undefined ? RETRY_PAUSE : Math.max(pause, rest);
      await sleep(time, undefined, { signal: ending }).catch(() => undefined);
    }
  }

  async #read(after: EventPosition): Promise<EventsOfAll | undefined> {
    try {
      return await this.#streams.read(after);
    } catch (error) {
      this.#logger.debug('The events of all queues could not be read', { error });
      return undefined;
    }
  }
}
