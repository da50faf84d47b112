import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EndingFollowers } from '../../../shared/ending-followers.ts';
import type { Following, JobEndingsPort } from '../../../../application/ports/job-endings-port.ts';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { QueueName } from '../../../../domain/queue-name.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { endingIn } from './ending-event.ts';

/** Milliseconds that one read blocks; longer ones risk to hang on a connection that died unnoticed. */
const BLOCK_TIME = 10_000;

/** How long after its end a read that got no answer counts as stuck, in milliseconds. */
const STUCK_AFTER = BLOCK_TIME + 2000;

/** Pause after a read, in milliseconds: a busy queue has its events read together. */
const READ_PAUSE = 10;

/** Pause after a failed read, in milliseconds, so that a store that is away is not hammered. */
const RETRY_PAUSE = 500;

/** Most events of a queue that one read takes. */
const EVENTS_PER_READ = 1000;

/** A wake-up key that nobody reads any more goes by itself, after this many seconds. */
const WAKE_KEY_LIFE = 60;

/** Where no stream has an entry before. */
const BEGINNING = '0-0';

type Entry = readonly [id: string, fields: readonly string[] | null];

/**
 * Hears of ends by the events that BullMQ's scripts write. One blocking read, on a connection of its own, covers the
 * streams of all queues that are followed on this replica, and is under way only while there are any.
 */
export class RedisJobEndings implements JobEndingsPort {
  readonly #connections: RedisConnections;
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;
  readonly #logger: LoggerPort;
  readonly #followers = new EndingFollowers();
  /** The last event that was read, or was there when the following began, of each queue. */
  readonly #positions = new Map<QueueName, string>();
  /** A stream of this reader's own in every read: an entry ends the read, to start one with more streams. */
  readonly #wakeKey: string;
  #wakePosition = BEGINNING;
  #blocking: RedisClient | undefined;
  #read: ReadonlySet<QueueName> | undefined;
  #isRunning = false;

  /** @param prefix of the queues' keys: the wake-up key shares it, and so their hash slot. */
  constructor(
    connections: RedisConnections,
    commands: StoreCommands,
    keys: QueueKeysCache,
    prefix: string,
    logger: LoggerPort,
  ) {
    this.#connections = connections;
    this.#commands = commands;
    this.#keys = keys;
    this.#logger = logger;
    this.#wakeKey = ownKey(prefix, `wake-endings:${randomUUID()}`);
  }

  async follow(queue: QueueName): Promise<Following> {
    const following = this.#followers.follow(queue);
    if (this.#positions.has(queue)) return following;
    try {
      const { events } = this.#keys.get(queue);
      const { client, errors } = this.#commands;
      const [last] = await errors.run(() => client.xrevrange(events, '+', '-', 'COUNT', 1));
      if (!this.#positions.has(queue)) this.#positions.set(queue, last?.[0] ?? BEGINNING);
    } catch (error) {
      following.end();
      throw error;
    }
    if (!this.#isRunning) void this.#run();
    else if (this.#read?.has(queue) === false) this.#wake();
    return following;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (;;) {
      for (const queue of this.#positions.keys()) {
        if (!this.#followers.follows(queue)) this.#positions.delete(queue);
      }
      if (this.#positions.size === 0) break;
      await this.#readOnce([...this.#positions]);
    }
    this.#isRunning = false;
  }

  async #readOnce(streams: readonly (readonly [QueueName, string])[]): Promise<void> {
    const blocking = (this.#blocking ??= this.#connections.blocking());
    const names = new Map(streams.map(([queue]) => [this.#keys.get(queue).events, queue]));
    this.#read = new Set(names.values());
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
        ...names.keys(),
        this.#wakeKey,
        ...streams.map(([, position]) => position),
        this.#wakePosition,
      );
      this.#read = undefined;
      for (const [key, entries] of found ?? []) this.#take(names.get(key), entries);
      if (found !== null) await sleep(READ_PAUSE);
    } catch (error) {
      this.#read = undefined;
      this.#logger.debug('A blocking read of events failed', { error });
      await sleep(RETRY_PAUSE);
    } finally {
      clearTimeout(watchdog);
    }
  }

  #take(queue: QueueName | undefined, entries: readonly Entry[]): void {
    const last = entries.at(-1)?.[0];
    if (last === undefined) return;
    if (queue === undefined) {
      this.#wakePosition = last;
      return;
    }
    this.#positions.set(queue, last);
    for (const [, fields] of entries) {
      const told = endingIn(fields ?? []);
      if (told !== undefined) this.#followers.tell(queue, told.jobId, told.ending);
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
