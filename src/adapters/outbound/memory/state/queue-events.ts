import type { KeptEvents } from '../../../../application/ports/event-port.ts';
import {
  BEFORE_EVENTS,
  compareEventIds,
  type EventId,
} from '../../../../domain/events/event-id.ts';
import type { EventEdit } from '../../../../domain/events/kept-event.ts';
import type { EventName, EventOrGap } from '../../../../domain/events/queue-event.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import {
  editedEvent,
  keptEvent,
  shownEvent,
  type KeptSince,
  type StoredEvent,
} from '../records/event-record.ts';

/** The most events that one read returns. */
const EVENTS_PER_READ = 500;

/**
 * The most events that one record holds. The oldest events go with their records, so that none is written again without
 * some of them.
 */
const EVENTS_PER_BATCH = 100;

/** Events that one record holds: those between two readings of the record. */
interface Batch {
  readonly first: EventId;
  count: number;
}

/** What a queue needs to record its events. */
export interface EventSettings {
  /** The id of the last event of any queue. */
  readonly last: () => EventId;
  /** Draws an id greater than all ids drawn before. */
  readonly nextId: () => { readonly id: EventId; readonly timestamp: number };
  /** How many events are kept at least; some 200 more may be. */
  readonly kept: number;
  /** Receives the id of each batch of events, once, before more of them come, and again when it is gone. */
  readonly changed: (batch: EventId) => void;
  /** Called after each event. */
  readonly recorded: (queue: QueueName, event: () => EventOrGap) => void;
}

/** The latest events of one queue. */
export class QueueEvents {
  readonly #queue: QueueName;
  readonly #settings: EventSettings;
  readonly #events: StoredEvent[] = [];
  /** The kept events in batches, the oldest first. */
  readonly #batches: Batch[] = [];
  /** Whether the last batch may take more events: its record was not read yet. */
  #isOpen = false;
  /** All events after this id are kept. A reader with an older id, from a removed queue, may have missed some. */
  #keptBehind: EventId;
  #hasDropped = false;

  constructor(queue: QueueName, settings: EventSettings) {
    this.#queue = queue;
    this.#settings = settings;
    this.#keptBehind = settings.last();
  }

  get last(): EventId {
    return this.#events.at(-1)?.id ?? BEFORE_EVENTS;
  }

  /**
   * @param detail what the event carries besides the job: text, JSON text or a time, depending on its name.
   * @param group the group of the job, if it has one.
   */
  record(
    name: EventName,
    jobId: string | undefined,
    detail: string | number | undefined,
    group: string | undefined,
  ): void {
    const { id, timestamp } = this.#settings.nextId();
    const stored = keptEvent({ id, timestamp, name, jobId, group, detail });
    this.#events.push(stored);
    this.#addToBatch(id);
    // Dropping takes time in proportion to all events, so that many go at once.
    if (this.#events.length >= this.#settings.kept + 2 * EVENTS_PER_BATCH) this.#drop();
    this.#settings.recorded(this.#queue, () => shownEvent(this.#queue, stored));
  }

  /** The events of a batch, which takes no more from then on; undefined when they are no longer kept. */
  batch(first: EventId): readonly StoredEvent[] | undefined {
    if (compareEventIds(first, this.#keptBehind) <= 0) return undefined;
    let end = this.#events.length;
    // The newest ones are asked for most of the time.
    for (let index = this.#batches.length - 1; index >= 0; index -= 1) {
      const batch = this.#batches[index] as Batch;
      if (batch.first === first) {
        if (index === this.#batches.length - 1) this.#isOpen = false;
        return this.#events.slice(end - batch.count, end);
      }
      end -= batch.count;
    }
    return undefined;
  }

  /** To be called for the oldest batch first. */
  restoreBatch(first: EventId, events: readonly StoredEvent[]): void {
    this.#events.push(...events);
    this.#batches.push({ first, count: events.length });
  }

  /** Takes a batch as another replica wrote it; undefined when its events are no longer kept. */
  replaceBatch(first: EventId, events: readonly StoredEvent[] | undefined): void {
    let before = 0;
    for (const [index, batch] of this.#batches.entries()) {
      if (batch.first === first) {
        this.#events.splice(before, batch.count);
        this.#batches.splice(index, 1);
        break;
      }
      before += batch.count;
    }
    this.#isOpen = false;
    if (events === undefined) return;
    const index = this.#batches.findIndex((batch) => compareEventIds(batch.first, first) > 0);
    if (index === -1) {
      this.restoreBatch(first, events);
      return;
    }
    const skipped = this.#batches.slice(0, index).reduce((sum, { count }) => sum + count, 0);
    this.#events.splice(skipped, 0, ...events);
    this.#batches.splice(index, 0, { first, count: events.length });
  }

  /** Edits the events, which keep their ids and times. @returns how many changed. */
  edit(edit: EventEdit): number {
    let count = 0;
    let index = 0;
    for (const batch of this.#batches) {
      const before = count;
      for (const end = index + batch.count; index < end; index += 1) {
        const event = this.#events[index] as StoredEvent;
        const edited = edit(event);
        if (edited === event) continue;
        this.#events[index] = editedEvent(event, edited);
        count += 1;
      }
      if (count > before) this.#settings.changed(batch.first);
    }
    return count;
  }

  restoreKept({ keptBehind, hasDropped }: KeptSince): void {
    this.#keptBehind = keptBehind;
    this.#hasDropped = hasDropped;
  }

  get kept(): KeptSince {
    return { keptBehind: this.#keptBehind, hasDropped: this.#hasDropped };
  }

  /** The ids of the batches that have a record. */
  get recorded(): readonly EventId[] {
    return this.#batches.map(({ first }) => first);
  }

  behind(after: EventId): KeptEvents {
    const events = this.next(after, EVENTS_PER_READ);
    const isLost = after === BEFORE_EVENTS ? this.#hasDropped : this.#isBeforeKept(after);
    const [oldest] = this.#events;
    return {
      events: events.map((event) => shownEvent(this.#queue, event)),
      last: events.at(-1)?.id ?? after,
      isEnd: events.length < EVENTS_PER_READ,
      ...(isLost && oldest !== undefined && { lostBefore: oldest.id }),
    };
  }

  /** Up to `most` of the kept events after an id. */
  next(after: EventId, most: number): readonly StoredEvent[] {
    const first = this.#firstBehind(after);
    return this.#events.slice(first, first + most);
  }

  /** The first kept event, when some after the id were dropped. */
  keptSince(after: EventId): EventId | undefined {
    return this.#hasDropped && this.#isBeforeKept(after) ? this.#events[0]?.id : undefined;
  }

  /** The index of the first event after an id, by binary search. */
  #firstBehind(id: EventId): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareEventIds((this.#events[middle] as StoredEvent).id, id) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #isBeforeKept(id: EventId): boolean {
    return compareEventIds(id, this.#keptBehind) < 0;
  }

  #addToBatch(id: EventId): void {
    const last = this.#isOpen ? this.#batches.at(-1) : undefined;
    if (last !== undefined && last.count < EVENTS_PER_BATCH) {
      last.count += 1;
      return;
    }
    this.#batches.push({ first: id, count: 1 });
    this.#isOpen = true;
    this.#settings.changed(id);
  }

  #drop(): void {
    let dropped = 0;
    for (let batch = this.#batches[0]; batch !== undefined; [batch] = this.#batches) {
      if (this.#events.length - dropped - batch.count < this.#settings.kept) break;
      dropped += batch.count;
      this.#settings.changed(batch.first);
      this.#batches.shift();
    }
    if (dropped === 0) return;
    this.#isOpen &&= this.#batches.length > 0;
    this.#keptBehind = this.#events.splice(0, dropped).at(-1)?.id ?? this.#keptBehind;
    this.#hasDropped = true;
  }
}
