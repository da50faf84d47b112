import {
  BEFORE_EVENTS,
  compareEventIds,
  idBefore,
  type EventId,
} from '../../../../domain/event-id.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Entries of a stream, one after the other. */
export interface StreamPart {
  readonly entries: readonly StreamEntry[];
  /** The id of the first one, when others may be missing before it. */
  readonly lostBefore?: EventId;
}

/** What queues keep of their events. */
export class KeptStreams {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
  }

  /** The id of the last event. @throws DomainError `store-unavailable`. */
  async last(queue: QueueName): Promise<EventId> {
    const { client, errors } = this.#commands;
    const { events } = this.#keys.get(queue);
    const [last] = await errors.run(() => client.xrevrange(events, '+', '-', 'COUNT', 1));
    return last?.[0] ?? BEFORE_EVENTS;
  }

  /** How many events the queue keeps, and a few more; undefined before it has any. @throws as `last`. */
  async most(queue: QueueName): Promise<number | undefined> {
    const { client, errors } = this.#commands;
    const { meta } = this.#keys.get(queue);
    const most = await errors.run(() => client.hget(meta, 'opts.maxLenEvents'));
    return most === null ? undefined : Number(most);
  }

  /** Up to `most` entries behind an id. @throws DomainError `store-unavailable`. */
  async behind(queue: QueueName, id: EventId, most: number): Promise<StreamPart> {
    const { client, errors } = this.#commands;
    const { events } = this.#keys.get(queue);
    // The entry of the id itself is read, too: none behind it is missing as long as that is kept.
    const start = id === BEFORE_EVENTS ? id : idBefore(id);
    // It begins behind an id in every version of the store, which a range does not.
    const read = await errors.run(() => client.xread('COUNT', most + 1, 'STREAMS', events, start));
    const entries = read?.[0]?.[1] ?? [];
    if (entries[0]?.[0] === id) return { entries: entries.slice(1) };
    const lostBefore = await this.lostBefore(queue, id);
    return {
      entries: entries.slice(0, most),
      // More may have been dropped since.
      ...(lostBefore !== undefined && { lostBefore: entries[0]?.[0] ?? lostBefore }),
    };
  }

  /**
   * The first id that is kept, when events behind the given id may have been before it.
   *
   * @throws DomainError `store-unavailable`.
   */
  async lostBefore(queue: QueueName, id: EventId): Promise<EventId | undefined> {
    const { client, errors } = this.#commands;
    const { events } = this.#keys.get(queue);
    const [[first], length, most = 0] = await Promise.all([
      errors.run(() => client.xrange(events, '-', '+', 'COUNT', 1)),
      errors.run(() => client.xlen(events)),
      this.most(queue),
    ]);
    if (first === undefined || compareEventIds(idBefore(first[0]), id) <= 0) return undefined;
    // Who was there before the first event has missed none unless some were dropped.
    if (id === BEFORE_EVENTS && length < most) return undefined;
    return first[0];
  }
}
