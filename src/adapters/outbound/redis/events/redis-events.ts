import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  EventSubscription,
  EventListener,
  EventPort,
  EventsOfAll,
  AllEventsSubscription,
  KeptEvents,
} from '../../../../application/ports/event-port.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import type { EventPosition } from '../../../../domain/events/event-position.ts';
import { gapBetween, type EventOrGap } from '../../../../domain/events/queue-event.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { SerialReads } from '../connection/serial-reads.ts';
import type { AllEventsReader } from './all-events-reader.ts';
import type { AllStreams } from './all-streams.ts';
import type { EventStreamReader } from './event-stream-reader.ts';
import type { KeptStreams } from './kept-streams.ts';
import { eventOf, type StreamEntry } from './stream-entry.ts';

/** The most events that one read of past events takes. */
const EVENTS_PER_READ = 500;

/** Events from the stream of each queue, to which the scripts of all BullMQ clients write. */
export class RedisEvents implements EventPort {
  readonly #reader: EventStreamReader;
  readonly #kept: KeptStreams;
  readonly #all: AllStreams;
  readonly #allReader: AllEventsReader;
  readonly #clock: ClockPort;
  /** After a replica has shut down, all its clients may come back at once. */
  readonly #readsOfAll = new SerialReads();

  constructor(
    reader: EventStreamReader,
    kept: KeptStreams,
    all: AllStreams,
    allReader: AllEventsReader,
    clock: ClockPort,
  ) {
    this.#reader = reader;
    this.#kept = kept;
    this.#all = all;
    this.#allReader = allReader;
    this.#clock = clock;
  }

  subscribe(queue: QueueName, listener: EventListener): Promise<EventSubscription> {
    return this.#reader.subscribe(queue, {
      received: (entries) => {
        const events = eventsOf(queue, entries);
        if (events.length > 0) listener(events);
      },
      missed: (from, to) => {
        listener([gapBetween(queue, { id: from, queue }, { id: to, queue }, this.#clock.now())]);
      },
    });
  }

  async read(queue: QueueName, after: EventId): Promise<KeptEvents> {
    const { entries, lostBefore } = await this.#kept.behind(queue, after, EVENTS_PER_READ);
    return {
      events: eventsOf(queue, entries),
      last: entries.at(-1)?.[0] ?? after,
      isEnd: entries.length < EVENTS_PER_READ,
      ...(lostBefore !== undefined && { lostBefore }),
    };
  }

  async subscribeToAll(ending: AbortSignal): Promise<AllEventsSubscription> {
    const after = await this.#all.now();
    return { after, readings: this.#allReader.readings(after, ending) };
  }

  readAll(after: EventPosition): Promise<EventsOfAll> {
    return this.#readsOfAll.run(() => this.#all.read(after));
  }
}

function eventsOf(queue: QueueName, entries: readonly StreamEntry[]): readonly EventOrGap[] {
  return entries.flatMap((entry) => eventOf(queue, entry) ?? []);
}
