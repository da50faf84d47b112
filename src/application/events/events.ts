import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { comparePositions, type EventPosition } from '../../domain/events/event-position.ts';
import {
  eventFilter,
  gapBetween,
  type EventOrGap,
  type EventSelection,
} from '../../domain/events/queue-event.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { EventObserver } from '../ports/event-observer.ts';
import type { EventPort } from '../ports/event-port.ts';
import { AllQueuesEvents } from './all-queues-events.ts';
import { inBatches, type EventBatch } from './event-batch.ts';
import type { EventFeed } from './event-feed.ts';
import { EventFeeds } from './event-feeds.ts';
import { OneQueueEvents } from './one-queue-events.ts';
import { PagesInUse } from './pages-in-use.ts';
import { SharedReads } from './shared-reads.ts';
import { SlowReaderError } from '../../domain/events/slow-reader-error.ts';

/** Milliseconds between two heartbeats. */
const BEAT = 15_000;

/** The events that a subscriber requests. */
export interface Subscription {
  /** Undefined for all queues. */
  readonly queue: QueueName | undefined;
  readonly selection: EventSelection;
  /** The last event that the subscriber received; undefined to start with new events. */
  readonly after: EventPosition | undefined;
}

/** Delivers the events of queues to any number of subscribers. */
export class Events {
  readonly #events: EventPort;
  readonly #feeds = new EventFeeds();
  readonly #inUse = new PagesInUse();
  readonly #reads: SharedReads;
  /** The parts of batches that several subscribers read. */
  readonly #parts = new WeakMap<EventBatch, readonly EventBatch[]>();
  /** The number of gaps in a batch. */
  readonly #gaps = new WeakMap<EventBatch, number>();
  readonly #observer: EventObserver;
  readonly #clock: ClockPort;

  constructor(events: EventPort, observer: EventObserver, clock: ClockPort) {
    this.#events = events;
    this.#reads = new SharedReads(events, this.#inUse);
    this.#observer = observer;
    this.#clock = clock;
  }

  /**
   * Yields events in batches, on demand: each event once, provided that the store still has it, and a gap in place of
   * those that it no longer has. A batch without events is a heartbeat: the first comes as soon as no further event can
   * be missed, the others every 15 s.
   *
   * @param ending ends the subscription; if its reason is a SlowReaderError, a gap reports what the reader did not
   * take. The reader may then resume from its last position.
   * @throws DomainError `store-unavailable`.
   */
  async *subscribe(
    { queue, selection, after }: Subscription,
    ending: AbortSignal,
  ): AsyncGenerator<EventBatch, undefined> {
    const source =
      queue === undefined
        ? new AllQueuesEvents(this.#events, this.#inUse, this.#clock)
        : new OneQueueEvents(this.#events, this.#reads, queue, this.#clock);
    const isWanted = eventFilter(selection);
    const readOn = source.past();
    const { feed, leave } = await this.#feeds.join(source);
    const isOver = (): boolean => ending.aborted;
    const pause = new FeedPause(feed, this.#clock, ending);
    try {
      let position = after ?? feed.last;
      yield { events: [], last: position };
      // Another replica may have delivered more, or the store's clock was set back since.
      let isAhead = comparePositions(position, feed.last) > 0;
      while (!isOver()) {
        // The store has events at least up to where the feed was before.
        const { floor } = feed;
        const next =
          (isAhead ? undefined : feed.behind(position)) ?? (await readOn(position, floor));
        isAhead = false;
        const isAtEnd = next.events.length === 0 && comparePositions(next.last, position) <= 0;
        for (const batch of this.#partsOf(next)) {
          if (isOver()) break;
          position = batch.last;
          const selected = select(batch, isWanted);
          if (selected.events.length === 0) continue;
          this.#countGaps(selected);
          yield selected;
        }
        if (isAtEnd) await pause.next();
        if (pause.isBeatDue()) yield { events: [], last: position };
      }
      if (ending.reason instanceof SlowReaderError) {
        const missed = select(this.#missed(position, feed), isWanted);
        if (missed.events.length > 0) {
          this.#countGaps(missed);
          yield missed;
        }
      }
    } finally {
      pause.end();
      leave();
    }
    return undefined;
  }

  /** Shared by all readers of a batch, so that values derived from the parts are computed once. */
  #partsOf(batch: EventBatch): readonly EventBatch[] {
    return keptOrMade(this.#parts, batch, inBatches);
  }

  /** Each subscriber receives the gaps of a batch, which are counted once. */
  #countGaps(batch: EventBatch): void {
    const gaps = keptOrMade(this.#gaps, batch, ({ events }) =>
      events.reduce((count, { name }) => (name === 'gap' ? count + 1 : count), 0),
    );
    if (gaps > 0) this.#observer.gapsReported(gaps);
  }

  /** Gaps at the position of the last delivered event, so that the subscriber can resume from there. */
  #missed(position: EventPosition, feed: EventFeed): EventBatch {
    const now = this.#clock.now();
    const events = Array.from(feed.queuesBehind(position), (queue) =>
      gapBetween(queue, position, feed.last, now, position),
    );
    return { events, last: position };
  }
}

/** Returns the batch itself when all of it is selected, so that values derived from it are computed once. */
function select(
  batch: EventBatch,
  isWanted: ((event: EventOrGap) => boolean) | undefined,
): EventBatch {
  if (isWanted === undefined) return batch;
  return { events: batch.events.filter(isWanted), last: batch.last };
}

/** The pauses of a subscriber at the end of a feed: until more events, the next heartbeat or the end. */
class FeedPause {
  readonly #clock: ClockPort;
  readonly #over = new AbortController();
  readonly #ending: AbortSignal;
  readonly #stopListening: () => void;
  #wake: () => void = () => undefined;
  #isWoken = false;
  #isBeatDue = false;

  constructor(feed: EventFeed, clock: ClockPort, ending: AbortSignal) {
    this.#clock = clock;
    this.#ending = ending;
    this.#stopListening = feed.onPublished(this.#notify);
    ending.addEventListener('abort', this.#notify);
    void this.#beat();
  }

  /** Resolves at once if something happened since the previous call. */
  async next(): Promise<void> {
    if (!this.#isWoken && !this.#ending.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isWoken = false;
  }

  /** Whether a heartbeat is due. If so, the next one is scheduled. */
  isBeatDue(): boolean {
    const isDue = this.#isBeatDue;
    this.#isBeatDue = false;
    return isDue;
  }

  end(): void {
    this.#over.abort();
    this.#stopListening();
    this.#ending.removeEventListener('abort', this.#notify);
  }

  readonly #notify = (): void => {
    this.#isWoken = true;
    this.#wake();
  };

  async #beat(): Promise<void> {
    for (;;) {
      await this.#clock.sleep(BEAT, this.#over.signal);
      if (this.#over.signal.aborted) return;
      this.#isBeatDue = true;
      this.#notify();
    }
  }
}
