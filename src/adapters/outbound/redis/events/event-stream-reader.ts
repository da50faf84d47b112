import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { BEFORE_EVENTS, idBefore, type EventId } from '../../../../domain/events/event-id.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { KeptStreams } from './kept-streams.ts';
import type { StreamEntry } from './stream-entry.ts';

/** How many milliseconds one read blocks; a longer one could hang on a connection that died unnoticed. */
const BLOCK_TIME = 10_000;

/** Time without an answer after which a read counts as stuck, in milliseconds. */
const STUCK_AFTER = BLOCK_TIME + 2000;

/**
 * The pause after a read that found all events, in milliseconds, so that the events of a busy queue are read together.
 */
const READ_PAUSE = 10;

/** Pause after a failed read, in milliseconds, to spare a store that is down. */
const RETRY_PAUSE = 500;

/** The most events of a queue that one read takes. */
const EVENTS_PER_READ = 1000;

/** After how many seconds a wake-up key without a reader expires. */
const WAKE_KEY_LIFE = 60;

/** Receives the events of one queue. */
export interface StreamListener {
  received(entries: readonly StreamEntry[]): void;

  /** Called when events between two ids may be missing, because they were dropped before they were read. */
  missed?(from: EventId, to: EventId): void;
}

export interface StreamSubscription {
  /** The listener receives all events after this id. */
  readonly after: EventId;
  end(): void;
}

interface SubscribedStream {
  readonly listeners: Set<StreamListener>;
  /** The last event that was read, or that existed when the subscription began. */
  position: EventId;
  /** How many events the queue keeps, once known. */
  most?: number | undefined;
  /** Whether the last read found as many entries as it may return, or as the queue keeps. */
  isBehind: boolean;
}

/**
 * Reads the events of BullMQ's scripts as they are written. One blocking read, on a connection of its own, covers all
 * streams with a subscriber on this replica, and runs only while there are any.
 */
export class EventStreamReader {
  readonly #connections: RedisConnections;
  readonly #store: StoreCommands;
  readonly #kept: KeptStreams;
  readonly #logger: LoggerPort;
  readonly #streams = new Map<QueueName, SubscribedStream>();
  /**
   * A stream of this reader's own that is part of every read. An entry in it ends the read, so that the next one covers
   * more streams. It shares the prefix of the queues, and so their hash slot.
   */
  readonly #wakeKey: string;
  #wakePosition = BEFORE_EVENTS;
  #blocking: RedisClient | undefined;
  #read: ReadonlySet<QueueName> | undefined;
  #isRunning = false;

  constructor(
    connections: RedisConnections,
    store: StoreCommands,
    kept: KeptStreams,
    logger: LoggerPort,
  ) {
    this.#store = store;
    this.#connections = connections;
    this.#kept = kept;
    this.#logger = logger;
    this.#wakeKey = ownKey(store.prefix, `wake-events:${randomUUID()}`);
  }

  /** @throws DomainError `store-unavailable`. */
  async subscribe(queue: QueueName, listener: StreamListener): Promise<StreamSubscription> {
    const last = this.#streams.has(queue) ? BEFORE_EVENTS : await this.#kept.last(queue);
    const stream = this.#streams.get(queue) ?? {
      listeners: new Set(),
      position: last,
      isBehind: false,
    };
    this.#streams.set(queue, stream);
    stream.listeners.add(listener);
    if (!this.#isRunning) void this.#run();
    else if (this.#read?.has(queue) === false) this.#wake();
    return {
      after: stream.position,
      end: () => {
        stream.listeners.delete(listener);
        const isLast = stream.listeners.size === 0;
        if (isLast && this.#streams.get(queue) === stream) this.#streams.delete(queue);
      },
    };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#streams.size > 0) await this.#readOnce([...this.#streams]);
    this.#isRunning = false;
  }

  async #readOnce(streams: readonly (readonly [QueueName, SubscribedStream])[]): Promise<void> {
    const blocking = (this.#blocking ??= this.#connections.blocking());
    const byKey = new Map(streams.map((stream) => [this.#store.keysOf(stream[0]).events, stream]));
    this.#read = new Set(streams.map(([queue]) => queue));
    const watchdog = setTimeout(() => {
      this.#logger.warn('A blocking read of events timed out: reconnecting');
      blocking.disconnect(true);
    }, STUCK_AFTER);
    try {
      const found = await blocking.xread(
        'COUNT',
        EVENTS_PER_READ,
        'BLOCK',
        BLOCK_TIME,
        'STREAMS',
        ...byKey.keys(),
        this.#wakeKey,
        ...streams.map(([, stream]) => startOf(stream)),
        this.#wakePosition,
      );
      this.#read = undefined;
      for (const [key, entries] of found ?? []) {
        const stream = byKey.get(key);
        if (stream !== undefined) await this.#take(...stream, entries);
        else this.#wakePosition = entries.at(-1)?.[0] ?? this.#wakePosition;
      }
      if (found !== null && !streams.some(([, { isBehind }]) => isBehind)) await sleep(READ_PAUSE);
    } catch (error) {
      this.#read = undefined;
      this.#logger.debug('A blocking read of events failed', { error });
      await sleep(RETRY_PAUSE);
    } finally {
      clearTimeout(watchdog);
    }
  }

  async #take(
    queue: QueueName,
    stream: SubscribedStream,
    entries: readonly StreamEntry[],
  ): Promise<void> {
    const [from, to] = [stream.position, entries[0]?.[0] ?? stream.position];
    // While an entry is kept, no later one is missing.
    const isWhole = from === to;
    const news = isWhole ? entries.slice(1) : entries;
    stream.most ??= await this.#kept.most(queue);
    // A read that finds as many entries as it may return, or as the queue keeps, may have missed dropped ones.
    const isBehind = entries.length === EVENTS_PER_READ || news.length >= (stream.most ?? 1);
    const mayMiss = !isWhole && (isBehind || stream.isBehind);
    const isMissing = mayMiss && (await this.#kept.lostBefore(queue, from)) !== undefined;
    stream.isBehind = isBehind;
    stream.position = news.at(-1)?.[0] ?? from;
    for (const listener of stream.listeners) {
      if (isMissing) listener.missed?.(from, to);
      listener.received(news);
    }
  }

  #wake(): void {
    // Counts as part of the read from now on: one wake-up serves all streams that join before it ends.
    this.#read = undefined;
    this.#connections.commands
      .multi()
      .xadd(this.#wakeKey, 'MAXLEN', 1, '*', 'wake', '')
      .expire(this.#wakeKey, WAKE_KEY_LIFE)
      .exec()
      .catch((error: unknown) => {
        this.#logger.debug('A blocking read of events could not be woken', { error });
      });
  }
}

/** A stream that lags behind is read from its current entry, to check whether that is still kept. */
function startOf({ position, isBehind }: SubscribedStream): EventId {
  return isBehind && position !== BEFORE_EVENTS ? idBefore(position) : position;
}
