import { BEFORE_EVENTS, compareEventIds, type EventId } from '../../../../domain/event-id.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { StreamEntry } from './stream-entry.ts';

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
  async behind(queue: QueueName, id: EventId, most: number): Promise<readonly StreamEntry[]> {
    const { client, errors } = this.#commands;
    const { events } = this.#keys.get(queue);
    // It begins behind the id in every version of the store, which a range does not.
    const read = await errors.run(() => client.xread('COUNT', most, 'STREAMS', events, id));
    return read?.[0]?.[1] ?? [];
  }

  /**
   * The first id that is kept, when events behind the given id may have been before it.
   *
   * @throws DomainError `store-unavailable`.
   */
  async lostBefore(queue: QueueName, id: EventId): Promise<EventId | undefined> {
    const { client, errors } = this.#commands;
    const { events, meta } = this.#keys.get(queue);
    const [[first], length, most] = await errors.run(() =>
      Promise.all([
        client.xrange(events, '-', '+', 'COUNT', 1),
        client.xlen(events),
        client.hget(meta, 'opts.maxLenEvents'),
      ]),
    );
    if (first === undefined || compareEventIds(first[0], id) <= 0) return undefined;
    // Who was there before the first event has missed none unless some were dropped.
    if (id === BEFORE_EVENTS && length < Number(most)) return undefined;
    return first[0];
  }
}
