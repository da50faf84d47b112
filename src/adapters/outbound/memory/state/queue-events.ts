import type { KeptEvents } from '../../../../application/ports/event-port.ts';
import {
  BEFORE_EVENTS,
  compareEventIds,
  type EventId,
} from '../../../../domain/events/event-id.ts';
import type { EventEdit } from '../../../../domain/events/kept-event.ts';
import type { EventName, EventOrGap } from '../../../../domain/events/queue-event.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import {
  eventsOf,
  keptEvent,
  shownEvent,
  writtenEvents,
  type KeptSince,
  type StoredEvent,
  type WrittenEvent,
} from '../records/event-record.ts';
import type { KeptValues } from '../records/kept-values.ts';
import { recordKey } from '../records/record-ids.ts';
import { readPiece, type ValueReading } from '../records/value-reading.ts';
import { KeptBatch } from './kept-batch.ts';
import type { RecentPayloads } from './recent-payloads.ts';

/** The most events that one read returns. */
const EVENTS_PER_READ = 500;

/**
 * The most events that one record holds. The oldest events go with their records, so that none is written again without
 * some of them.
 */
const EVENTS_PER_BATCH = 100;

/** Batches that are read from a disk at once. */
const MOST_READ = 20;

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
  readonly values: KeptValues;
  readonly payloads: RecentPayloads;
  /** Called after each event. */
  readonly recorded: (queue: QueueName, event: () => EventOrGap) => void;
}

/** The latest events of one queue, in batches that one record each has: the newest in memory, the others on a disk. */
export class QueueEvents {
  readonly #queue: QueueName;
  readonly #settings: EventSettings;
  /** The oldest first. */
  readonly #batches: KeptBatch[] = [];
  #count = 0;
  readonly #ofOthers: StoredEvent[] = [];
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
    return this.#batches.at(-1)?.last ?? BEFORE_EVENTS;
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
    this.#add(stored);
    // Many go at once: each of their records is a write of its own.
    if (this.#count >= this.#settings.kept + 2 * EVENTS_PER_BATCH) this.#drop();
    this.#settings.recorded(this.#queue, () => shownEvent(this.#queue, stored));
  }

  /** The events of a batch, which takes no more from then on; undefined when they are no longer kept. */
  batch(first: EventId): readonly WrittenEvent[] | undefined {
    if (compareEventIds(first, this.#keptBehind) <= 0) return undefined;
    const batch = this.#find(first);
    if (batch !== undefined && batch === this.#batches.at(-1)) this.#isOpen = false;
    return batch && writtenEvents(first, batch.value);
  }

  /** To be called once a batch is on a disk as it is now. */
  stored(first: EventId): void {
    const batch = this.#find(first);
    if (batch !== undefined) this.#keep(batch);
  }

  /** Takes a batch as it was written; undefined when its events are no longer kept. */
  replaceBatch(first: EventId, batch: KeptBatch | undefined): void {
    const { last } = this;
    const place = this.#batches.findLastIndex((each) => compareEventIds(each.first, first) <= 0);
    const isKnown = this.#batches[place]?.first === first;
    const taken = batch === undefined ? [] : [batch];
    this.#forget(this.#batches.splice(isKnown ? place : place + 1, Number(isKnown), ...taken));
    this.#isOpen = false;
    this.#count += batch?.count ?? 0;
    if (batch?.isWhole !== true) return;
    this.#ofOthers.push(...batch.value.filter(({ id }) => compareEventIds(id, last) > 0));
  }

  /** The events that came from other replicas since this was last called. */
  takeOfOthers(): readonly StoredEvent[] {
    return this.#ofOthers.splice(0);
  }

  /**
   * Edits the events, some after the others. They keep their ids and times.
   *
   * @returns how many changed.
   * @throws DomainError `store-unavailable` when they cannot be read.
   */
  async edit(edit: EventEdit): Promise<number> {
    let count = 0;
    for (const batches of piecesOf([...this.#batches], MOST_READ)) {
      await this.#fetch(batches);
      for (const batch of batches) {
        if (!this.#batches.includes(batch)) continue;
        const changed = batch.edit(edit);
        count += changed;
        if (changed > 0) this.#settings.changed(batch.first);
      }
      this.#settings.payloads.makeRoom();
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

  /** Notes all batches, as the queue goes. */
  noteAll(): void {
    for (const { first } of this.#batches) this.#settings.changed(first);
  }

  /** To be called when the queue is gone. */
  forget(): void {
    this.#forget(this.#batches);
  }

  /** Some events after an id. @throws DomainError `store-unavailable` when they cannot be read. */
  async behind(after: EventId): Promise<KeptEvents> {
    const found = await this.next(after, EVENTS_PER_READ);
    const isLost = after === BEFORE_EVENTS ? this.#hasDropped : this.#isBeforeKept(after);
    const oldest = this.#batches[0]?.first;
    // Some may have been dropped while they were read.
    const events = isLost ? found.filter(({ id }) => !this.#isDropped(id)) : found;
    const last = found.at(-1)?.id ?? after;
    return {
      events: events.map((event) => shownEvent(this.#queue, event)),
      last,
      isEnd: compareEventIds(last, this.last) >= 0,
      ...(isLost && oldest !== undefined && { lostBefore: oldest }),
    };
  }

  /** Up to `most` of the kept events after an id, and at least one if there are any. At once if they are in memory. */
  next(after: EventId, most: number): readonly StoredEvent[] | Promise<readonly StoredEvent[]> {
    const batches = this.#batchesBehind(after, most);
    if (!batches.every(({ isWhole }) => isWhole)) return this.#read(after, most);
    return eventsBehind(
      batches.flatMap(({ value }) => value),
      after,
      most,
    );
  }

  /** The first kept event, when some after the id were dropped. */
  keptSince(after: EventId): EventId | undefined {
    return this.#hasDropped && this.#isBeforeKept(after) ? this.#batches[0]?.first : undefined;
  }

  async #read(after: EventId, most: number): Promise<readonly StoredEvent[]> {
    for (;;) {
      const batches = this.#batchesBehind(after, most);
      const read = await readPiece(this.#settings.values, batches, this.#reading);
      const events = eventsBehind(read.flat(), after, most);
      // None if the first batch was dropped while others were read.
      if (events.length > 0 || this.#batchesBehind(after, most).length === 0) return events;
    }
  }

  get #reading(): ValueReading<
    KeptBatch,
    KeptBatch,
    readonly StoredEvent[],
    readonly StoredEvent[]
  > {
    return {
      kind: {
        keys: ({ first }) => [recordKey('events', this.#queue, first)],
        value: ([text = '[]'], [key]) =>
          key === undefined ? [] : eventsOf(key.id, JSON.parse(text) as WrittenEvent[]),
      },
      most: MOST_READ,
      elsewhere: (batch) => (batch.isWhole ? undefined : batch),
      show: (batch, read = []) => (batch.isWhole ? batch.value : read),
      sizeOf: () => 0,
    };
  }

  /** Has batches in memory that are kept, for as long as no room is made. */
  async #fetch(batches: readonly KeptBatch[]): Promise<void> {
    for (;;) {
      const missing = batches.filter((batch) => !batch.isWhole && this.#batches.includes(batch));
      if (missing.length === 0) return;
      for (const [batch, events] of await this.#settings.values.find(missing, this.#reading.kind)) {
        if (batch.isWhole || !this.#batches.includes(batch)) continue;
        batch.complete([...events]);
        this.#keep(batch);
      }
    }
  }

  /** The batches with the first `most` events after an id. */
  #batchesBehind(after: EventId, most: number): readonly KeptBatch[] {
    let [low, high] = [0, this.#batches.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareEventIds((this.#batches[middle] as KeptBatch).last, after) > 0) high = middle;
      else low = middle + 1;
    }
    // Of the first one, only the last event may come after the id.
    let [end, count] = [low + 1, 1];
    for (; end < this.#batches.length && count < most; end += 1) {
      count += (this.#batches[end] as KeptBatch).count;
    }
    return this.#batches.slice(low, end);
  }

  #isBeforeKept(id: EventId): boolean {
    return compareEventIds(id, this.#keptBehind) < 0;
  }

  #isDropped(id: EventId): boolean {
    return compareEventIds(id, this.#keptBehind) <= 0;
  }

  /** The newest ones are asked for most of the time. */
  #find(first: EventId): KeptBatch | undefined {
    return this.#batches.findLast((batch) => batch.first === first);
  }

  #keep(batch: KeptBatch): void {
    const key = { of: 'events', queue: this.#queue, id: batch.first } as const;
    this.#settings.payloads.keepValue(key, batch);
  }

  #forget(batches: readonly KeptBatch[]): void {
    for (const batch of batches) {
      this.#settings.payloads.forget(batch);
      this.#count -= batch.count;
    }
  }

  #add(event: StoredEvent): void {
    this.#count += 1;
    const last = this.#isOpen ? this.#batches.at(-1) : undefined;
    if (last !== undefined && last.count < EVENTS_PER_BATCH) {
      last.add(event);
      return;
    }
    this.#batches.push(new KeptBatch(event.id, [event]));
    this.#isOpen = true;
    this.#settings.changed(event.id);
  }

  #drop(): void {
    let [dropped, left] = [0, this.#count];
    for (const { count } of this.#batches) {
      if (left - count < this.#settings.kept) break;
      left -= count;
      dropped += 1;
    }
    const batches = this.#batches.splice(0, dropped);
    this.#forget(batches);
    for (const { first, last } of batches) {
      this.#settings.changed(first);
      this.#keptBehind = last;
      this.#hasDropped = true;
    }
    this.#isOpen &&= this.#batches.length > 0;
  }
}

/** The first `most` events after an id. */
function eventsBehind(
  events: readonly StoredEvent[],
  after: EventId,
  most: number,
): readonly StoredEvent[] {
  const first = events.findIndex(({ id }) => compareEventIds(id, after) > 0);
  return first === -1 ? [] : events.slice(first, first + most);
}
