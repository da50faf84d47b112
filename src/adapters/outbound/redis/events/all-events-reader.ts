import { setTimeout as sleep } from 'node:timers/promises';
import type { EventsOfAll } from '../../../../application/ports/event-port.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { EventPosition } from '../../../../domain/event-position.ts';
import type { AllStreams } from './all-streams.ts';

/** Pauses between two readings in milliseconds: after one that told something, and at most. */
const SHORTEST_PAUSE = 40;
const LONGEST_PAUSE = 200;

/** How much longer than after the reading before the pause is when nothing was told. */
const GROWTH = 1.5;

/** A reading takes up no more than one part in so many of the time, unless it would have to rest for too long. */
const PARTS = 5;

/** Longest rest in milliseconds: events shall come in time however many queues there are. */
const LONGEST_REST = 500;

/** Pause after a failed reading, in milliseconds. */
const RETRY_PAUSE = 500;

/**
 * Reads on in the streams of all queues for as long as somebody follows them. It looks time and again: a read that
 * blocks until something is written would cost the store more for many streams than one that finds nothing.
 */
export class AllEventsReader {
  readonly #streams: AllStreams;
  readonly #logger: LoggerPort;

  constructor(streams: AllStreams, logger: LoggerPort) {
    this.#streams = streams;
    this.#logger = logger;
  }

  /** What happens behind a position, until it is told to end. */
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
