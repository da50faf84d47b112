import type { EventsOfAll, LostEvents } from '../../../../application/ports/event-port.ts';
import {
  compareEventIds,
  idBefore,
  timeOfEvent,
  type EventId,
} from '../../../../domain/events/event-id.ts';
import type { EventPosition } from '../../../../domain/events/event-position.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { mergedEvents } from '../../../shared/merged-events.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { eventsKey } from '../layout/queue-keys.ts';
import { firstKept, storeTime } from '../scripts/events.ts';
import { listedQueues } from '../registry/listed-queues.ts';
import { eventOf, type StreamEntry } from './stream-entry.ts';

/** The most entries that one command reads, in two milliseconds. */
const ENTRIES_PER_READ = 1000;

/**
 * The fewest entries that one read takes of a queue: with fewer, many streams that lag behind would delay each other.
 */
const FEWEST_ENTRIES = 10;

/** The position in a stream up to which it was read. */
interface StreamPosition {
  readonly queue: QueueName;
  readonly after: EventId;
}

/** The next entries of a stream. */
interface StreamPart {
  readonly queue: QueueName;
  readonly items: readonly StreamEntry[];
  readonly isCut: boolean;
  /** Whether entries may be missing before them. */
  readonly isLost: boolean;
}

/**
 * The streams of all queues of the prefix, read as one. Ids of entries are times of the store, and all streams are in
 * one slot. A reading asks first for the time, then for the names of the queues, and then reads the streams, so it
 * finds every entry from before that time. Later entries are left for the next reading.
 */
export class AllStreams {
  readonly #store: StoreCommands;

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  /** The position before which no further event can occur. @throws DomainError `store-unavailable`. */
  async now(): Promise<EventPosition> {
    const time = await this.#store.callOfAll(storeTime);
    return { id: `${time}-0`, queue: '' };
  }

  /** @throws DomainError `store-unavailable`. */
  async read(after: EventPosition): Promise<EventsOfAll> {
    const now = await this.now();
    const queues = await listedQueues(this.#store);
    if (timeOfEvent(now.id) < timeOfEvent(after.id)) {
      const clockBehind = { queues, now };
      return { events: [], last: after, isEnd: true, lost: [], clockBehind };
    }
    // Entries with the id of the position may come after it: those of queues with greater names.
    const start = idBefore(after.id);
    const parts = await this.#parts(queues.map((queue) => ({ queue, after: start })));
    const cut = parts.filter(({ isCut }) => isCut);
    // A few busy queues must not delay the events of all others.
    const more = await this.#parts(
      cut.map(({ queue, items }) => ({ queue, after: lastId(items) })),
    );
    const { items, last } = mergedEvents(joined(parts, more), ([id]) => id, after, now);
    const lost = [
      ...parts.flatMap((part) => lossOf(part, after)),
      ...more.flatMap((part, index) => {
        const from = { id: lastId(cut[index]?.items ?? []), queue: part.queue };
        return lossOf(part, from);
      }),
    ];
    const events = items.flatMap(({ queue, item }) => eventOf(queue, item) ?? []);
    return { events, last, isEnd: last === now, lost };
  }

  /** The next entries of each stream, in the order of the positions. */
  async #parts(positions: readonly StreamPosition[]): Promise<readonly StreamPart[]> {
    if (positions.length === 0) return [];
    const count = Math.max(FEWEST_ENTRIES, Math.floor(ENTRIES_PER_READ / positions.length));
    const most = ENTRIES_PER_READ / FEWEST_ENTRIES;
    return inPieces(positions, most, (some) => this.#read(some, count));
  }

  async #read(positions: readonly StreamPosition[], count: number): Promise<readonly StreamPart[]> {
    const keys = positions.map(({ queue }) => eventsKey(this.#store.prefix, queue));
    const ids = positions.map(({ after }) => after);
    const read = await this.#store.run((client) =>
      client.xread('COUNT', count, 'STREAMS', ...keys, ...ids),
    );
    const found = new Map(read);
    const queues = positions.flatMap(({ queue }, index) =>
      found.has(keys[index] ?? '') ? [queue] : [],
    );
    const firstKept = await this.#firstKept(queues);
    return positions.map(({ queue }, index) => {
      const items = found.get(keys[index] ?? '') ?? [];
      const [first] = items;
      const kept = firstKept.get(queue);
      const isLost =
        first !== undefined && kept !== undefined && compareEventIds(kept, first[0]) >= 0;
      return { queue, items, isCut: items.length === count, isLost };
    });
  }

  /** The first kept entry of each stream that has dropped entries. */
  async #firstKept(queues: readonly QueueName[]): Promise<ReadonlyMap<QueueName, EventId>> {
    if (queues.length === 0) return new Map();
    const ids = await this.#store.callOfAll(firstKept, {}, queues);
    return new Map(
      queues.flatMap((queue, index) => {
        const id = ids[index];
        return id === undefined || id === '' ? [] : [[queue, id]];
      }),
    );
  }
}

function lastId(entries: readonly StreamEntry[]): EventId {
  return (entries.at(-1) as StreamEntry)[0];
}

/** Joins the first and the second part of each stream. */
function joined(parts: readonly StreamPart[], more: readonly StreamPart[]): readonly StreamPart[] {
  const behind = new Map(more.map((part) => [part.queue, part]));
  return parts.map((part) => {
    const next = behind.get(part.queue);
    if (next === undefined) return part;
    return { ...part, items: [...part.items, ...next.items], isCut: next.isCut };
  });
}

function lossOf({ queue, items, isLost }: StreamPart, from: EventPosition): LostEvents[] {
  const [first] = items;
  if (!isLost || first === undefined) return [];
  // No id is between the two.
  if (compareEventIds(idBefore(first[0]), from.id) <= 0) return [];
  return [{ queue, from, to: { id: first[0], queue } }];
}
