import { idBefore, type EventId } from '../../domain/events/event-id.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { EventPort, KeptEvents } from '../ports/event-port.ts';
import type { EventBatch } from './event-batch.ts';
import type { PagesInUse } from './pages-in-use.ts';

/** How many pages of past events are kept for subscribers at the same position, while others are still being read. */
const MOST_PAGES = 8;

/** A page of stored events, as one batch for all its readers. */
export interface PastEvents extends Omit<KeptEvents, 'events' | 'last'> {
  readonly batch: EventBatch;
}

/**
 * Reads past events of single queues for all lagging subscribers of a replica, one page at a time. Thousands may fall
 * behind at the same moment, most of them at the same position: these share a page, and the values derived from it.
 */
export class SharedReads {
  readonly #events: EventPort;
  readonly #inUse: PagesInUse;
  readonly #pages = new Map<string, Promise<PastEvents>>();
  #last: Promise<unknown> = Promise.resolve();
  #unread = 0;

  constructor(events: EventPort, inUse: PagesInUse) {
    this.#events = events;
    this.#inUse = inUse;
  }

  /** @throws DomainError `store-unavailable`. */
  read(queue: QueueName, after: EventId): Promise<PastEvents> {
    const key = `${after} ${queue}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    this.#unread += 1;
    const page = this.#last.then(() => this.#read(queue, after));
    this.#pages.set(key, page);
    this.#last = page.then(
      ({ isEnd }) => this.#settle(key, !isEnd),
      () => this.#settle(key, false),
    );
    return page;
  }

  async #read(queue: QueueName, after: EventId): Promise<PastEvents> {
    const position = { id: after, queue };
    const next = this.#inUse.next(queue, position);
    if (next !== undefined) return { isEnd: false, batch: next };
    const { events, last, isEnd, lostBefore } = await this.#events.read(queue, after);
    const page = { events, last: { id: last, queue } };
    // Nothing is known of what comes before a gap, so that each reader from there finds the gap.
    const start = lostBefore === undefined ? position : { id: idBefore(lostBefore), queue };
    const batch = this.#inUse.first(queue, start, page);
    const isWhole = isEnd && batch === page;
    return { isEnd: isWhole, batch, ...(lostBefore !== undefined && { lostBefore }) };
  }

  /** A page that reaches the end is not shared, since more events may follow it. */
  #settle(key: string, isKept: boolean): void {
    this.#unread -= 1;
    if (!isKept) this.#pages.delete(key);
    if (this.#unread === 0) this.#pages.clear();
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size - this.#unread > MOST_PAGES) {
      this.#pages.delete(oldest);
    }
  }
}
