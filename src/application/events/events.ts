import { compareEventIds, type EventId } from '../../domain/event-id.ts';
import {
  gapBetween,
  isSelected,
  type EventOrGap,
  type EventSelection,
} from '../../domain/queue-event.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { EventPort } from '../ports/event-port.ts';
import type { EventBatch, EventFeed } from './event-feed.ts';
import { EventFeeds } from './event-feeds.ts';
import { SlowReaderError } from './slow-reader-error.ts';

/** Milliseconds between two signs of life. */
const BEAT = 15_000;

/** Which events of a queue somebody wants. */
export interface Subscription {
  readonly queue: QueueName;
  readonly selection: EventSelection;
  /** The last event that the subscriber knows; undefined for what happens from now on. */
  readonly after: EventId | undefined;
}

/** Tells what happens in queues to any number of subscribers. */
export class Events {
  readonly #events: EventPort;
  readonly #feeds: EventFeeds;
  readonly #clock: ClockPort;

  constructor(events: EventPort, clock: ClockPort) {
    this.#events = events;
    this.#feeds = new EventFeeds(events);
    this.#clock = clock;
  }

  /**
   * Tells events in batches, as they are asked for: each once for as long as the store keeps it, and a gap in place
   * of those that it keeps no longer. A batch without events is a sign of life: the first comes at once, when
   * nothing more can be missed, the others every 15 s.
   *
   * @param ending ends it; with a SlowReaderError for its reason, a gap tells what the reader did not take. It may
   * come back to where it was.
   * @throws DomainError `store-unavailable`.
   */
  async *follow(
    { queue, selection, after }: Subscription,
    ending: AbortSignal,
  ): AsyncGenerator<EventBatch, undefined> {
    const { feed, leave } = await this.#feeds.join(queue);
    const waiting = new Waiting(feed, this.#clock, ending);
    try {
      let told = after ?? feed.last;
      yield { events: [], last: told };
      while (!ending.aborted) {
        const next = feed.behind(told);
        const batch = next ?? (await this.#kept(queue, told, feed));
        told = batch.last;
        const selected = select(batch, selection);
        if (selected.events.length > 0) yield selected;
        else if (batch.events.length === 0 && next !== undefined) await waiting.next();
        if (waiting.isBeatDue()) yield { events: [], last: told };
      }
      const isSlow = ending.reason instanceof SlowReaderError;
      if (isSlow && compareEventIds(told, feed.last) < 0) yield this.#missed(queue, told, feed);
    } finally {
      waiting.end();
      leave();
    }
    return undefined;
  }

  /** Some of what the store keeps behind an id, or where the feed begins when that is all. */
  async #kept(queue: QueueName, after: EventId, feed: EventFeed): Promise<EventBatch> {
    const { events, last, isEnd, lostBefore } = await this.#events.read(queue, after);
    const { floor } = feed;
    const reached = isEnd && compareEventIds(last, floor) < 0 ? floor : last;
    if (lostBefore === undefined) return { events, last: reached };
    const gap = gapBetween(queue, after, lostBefore, this.#clock.now());
    return { events: [gap, ...events], last: reached };
  }

  /** Its id is that of the last event before it, to which the subscriber may come back. */
  #missed(queue: QueueName, told: EventId, { last }: EventFeed): EventBatch {
    const gap = { ...gapBetween(queue, told, last, this.#clock.now()), id: told };
    return { events: [gap], last: told };
  }
}

/** All of a batch is the batch itself, so that what is made of it is made once. */
function select(batch: EventBatch, selection: EventSelection): EventBatch {
  if (selection.names === undefined && selection.jobId === undefined) return batch;
  const isWanted = (event: EventOrGap): boolean => isSelected(event, selection);
  return { events: batch.events.filter(isWanted), last: batch.last };
}

/** What a subscriber at the end of a feed waits for: more events, the next sign of life, or the end. */
class Waiting {
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
    this.#stopListening = feed.onTold(this.#notify);
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
