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
import { SharedReads } from './shared-reads.ts';
import { SlowReaderError } from './slow-reader-error.ts';

/** Milliseconds between two signs of life. */
const BEAT = 15_000;

/** Which events a subscriber wants. */
export interface Subscription {
  /** Undefined for all queues. */
  readonly queue: QueueName | undefined;
  readonly selection: EventSelection;
  /** The last event that the subscriber received; undefined to begin with the events from now on. */
  readonly after: EventPosition | undefined;
}

/** Delivers the events of queues to any number of subscribers. */
export class Events {
  readonly #events: EventPort;
  readonly #feeds = new EventFeeds();
  readonly #reads: SharedReads;
  /** Of the batches that several subscribers read. */
  readonly #parts = new WeakMap<EventBatch, readonly EventBatch[]>();
  /** How many gaps are among the events of a batch. */
  readonly #gaps = new WeakMap<EventBatch, number>();
  readonly #observer: EventObserver;
  readonly #clock: ClockPort;

  constructor(events: EventPort, observer: EventObserver, clock: ClockPort) {
    this.#events = events;
    this.#reads = new SharedReads(events);
    this.#observer = observer;
    this.#clock = clock;
  }

  /**
   * Yields events in batches, as they are asked for: each once for as long as the store keeps it, and a gap in place
   * of those that it keeps no longer. A batch without events is a sign of life: the first comes at once, when
   * nothing more can be missed, the others every 15 s.
   *
   * @param ending ends the subscription; with a SlowReaderError for its reason, a gap reports what the reader did
   * not take. The reader may resume from where it was.
   * @throws DomainError `store-unavailable`.
   */
  async *subscribe(
    { queue, selection, after }: Subscription,
    ending: AbortSignal,
  ): AsyncGenerator<EventBatch, undefined> {
    const source =
      queue === undefined
        ? new AllQueuesEvents(this.#events, this.#clock)
        : new OneQueueEvents(this.#events, this.#reads, queue, this.#clock);
    const isWanted = eventFilter(selection);
    const readOn = source.past();
    const { feed, leave } = await this.#feeds.join(source);
    const isOver = (): boolean => ending.aborted;
    const pause = new FeedPause(feed, this.#clock, ending);
    try {
      let position = after ?? feed.last;
      yield { events: [], last: position };
      // Another replica may have delivered more, or the clock of the store was put back since.
      let isAhead = comparePositions(position, feed.last) > 0;
      while (!isOver()) {
        // What the store keeps reaches at least as far as the feed did before.
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

  /** The same for all readers of a batch, so that what is derived from them is derived once. */
  #partsOf(batch: EventBatch): readonly EventBatch[] {
    const known = this.#parts.get(batch);
    if (known !== undefined) return known;
    const parts = inBatches(batch);
    this.#parts.set(batch, parts);
    return parts;
  }

  /** Each subscriber receives the gaps of a batch, which are looked for once. */
  #countGaps(batch: EventBatch): void {
    let gaps = this.#gaps.get(batch);
    if (gaps === undefined) {
      gaps = batch.events.reduce((count, { name }) => (name === 'gap' ? count + 1 : count), 0);
      this.#gaps.set(batch, gaps);
    }
    if (gaps > 0) this.#observer.gapsReported(gaps);
  }

  /** Gaps that have the position of the last delivered event, so that the subscriber can resume from there. */
  #missed(position: EventPosition, feed: EventFeed): EventBatch {
    const now = this.#clock.now();
    const events = Array.from(feed.queuesBehind(position), (queue) =>
      gapBetween(queue, position, feed.last, now, position),
    );
    return { events, last: position };
  }
}

/** Returns the batch itself when all of it is wanted, so that what is derived from it is derived once. */
function select(
  batch: EventBatch,
  isWanted: ((event: EventOrGap) => boolean) | undefined,
): EventBatch {
  if (isWanted === undefined) return batch;
  return { events: batch.events.filter(isWanted), last: batch.last };
}

/** The pauses of a subscriber at the end of a feed, until more events, the next sign of life or the end. */
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

  /** Resolves at once when something happened since the last time. */
  async next(): Promise<void> {
    if (!this.#isWoken && !this.#ending.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isWoken = false;
  }

  /** Whether it is time for a sign of life; the next one is due later. */
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
