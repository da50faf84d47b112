import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { BEFORE_EVENTS, idBefore, type EventId } from '../../../../domain/event-id.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import type { KeptStreams } from './kept-streams.ts';
import type { StreamEntry } from './stream-entry.ts';

/** Milliseconds that one read blocks; longer ones risk to hang on a connection that died unnoticed. */
const BLOCK_TIME = 10_000;

/** How long after its end a read that got no answer counts as stuck, in milliseconds. */
const STUCK_AFTER = BLOCK_TIME + 2000;

/** Pause after a read that found all there was, in milliseconds: a busy queue has its events read together. */
const READ_PAUSE = 10;

/** Pause after a failed read, in milliseconds, so that a store that is away is not hammered. */
const RETRY_PAUSE = 500;

/** Most events of a queue that one read takes. */
const EVENTS_PER_READ = 1000;

/** A wake-up key that nobody reads any more goes by itself, after this many seconds. */
const WAKE_KEY_LIFE = 60;

/** Follows the events of one queue. */
export interface StreamListener {
  told(entries: readonly StreamEntry[]): void;

  /** What was behind an id and before another may not be told: it was dropped before it was read. */
  missed?(from: EventId, to: EventId): void;
}

export interface StreamFollowing {
  /** Behind this id everything is told. */
  readonly after: EventId;
  end(): void;
}

interface FollowedStream {
  readonly listeners: Set<StreamListener>;
  /** The last event that was read, or was there when the following began. */
  position: EventId;
  /** How many events the queue keeps, once that is known. */
  most?: number | undefined;
  /** Whether the last read found as many as it may, or as are kept. */
  isBehind: boolean;
}

/**
 * Reads the events that BullMQ's scripts write, as they are written. One blocking read, on a connection of its own,
 * covers the streams of all queues that are followed on this replica, and is under way only while there are any.
 */
export class EventStreamReader {
  readonly #connections: RedisConnections;
  readonly #kept: KeptStreams;
  readonly #keys: QueueKeysCache;
  readonly #logger: LoggerPort;
  readonly #streams = new Map<QueueName, FollowedStream>();
  /** A stream of this reader's own in every read: an entry ends the read, to start one with more streams. */
  readonly #wakeKey: string;
  #wakePosition = BEFORE_EVENTS;
  #blocking: RedisClient | undefined;
  #read: ReadonlySet<QueueName> | undefined;
  #isRunning = false;

  /** @param prefix of the queues' keys: the wake-up key shares it, and so their hash slot. */
  constructor(
    connections: RedisConnections,
    kept: KeptStreams,
    keys: QueueKeysCache,
    prefix: string,
    logger: LoggerPort,
  ) {
    this.#connections = connections;
    this.#kept = kept;
    this.#keys = keys;
    this.#logger = logger;
    this.#wakeKey = ownKey(prefix, `wake-events:${randomUUID()}`);
  }

  /** @throws DomainError `store-unavailable`. */
  async follow(queue: QueueName, listener: StreamListener): Promise<StreamFollowing> {
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

  async #readOnce(streams: readonly (readonly [QueueName, FollowedStream])[]): Promise<void> {
    const blocking = (this.#blocking ??= this.#connections.blocking());
    const byKey = new Map(streams.map((stream) => [this.#keys.get(stream[0]).events, stream]));
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
    stream: FollowedStream,
    entries: readonly StreamEntry[],
  ): Promise<void> {
    const [from, to] = [stream.position, entries[0]?.[0] ?? stream.position];
    // None behind an entry is missing as long as the entry itself is kept.
    const isWhole = from === to;
    const news = isWhole ? entries.slice(1) : entries;
    stream.most ??= await this.#kept.most(queue);
    // Whoever reads as many as it may, or all that are kept, may have been overtaken by the end of what is kept.
    const isBehind = entries.length === EVENTS_PER_READ || news.length >= (stream.most ?? 1);
    const mayMiss = !isWhole && (isBehind || stream.isBehind);
    const isMissing = mayMiss && (await this.#kept.lostBefore(queue, from)) !== undefined;
    stream.isBehind = isBehind;
    stream.position = news.at(-1)?.[0] ?? from;
    for (const listener of stream.listeners) {
      if (isMissing) listener.missed?.(from, to);
      listener.told(news);
    }
  }

  #wake(): void {
    // Counts as part of the read from now on: one wake-up is enough for all who join before it ends.
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

/** A stream that is behind is read with the entry at which it stands, to see whether that is still kept. */
function startOf({ position, isBehind }: FollowedStream): EventId {
  return isBehind && position !== BEFORE_EVENTS ? idBefore(position) : position;
}
