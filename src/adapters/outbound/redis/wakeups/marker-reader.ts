import { randomUUID } from 'node:crypto';
import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import type { RedisClient } from '../connection/redis-client.ts';

/** How many seconds one read blocks; a longer one could hang on a connection that died unnoticed. */
const BLOCK_SECONDS = 10;

/** Time without an answer after which a read counts as stuck, in milliseconds. */
const STUCK_AFTER = BLOCK_SECONDS * 1000 + 2000;

/** Pause after a failed read, in milliseconds, to spare a store that is down. */
const RETRY_PAUSE = 500;

/** After how many seconds a wake-up key without a reader expires. */
const WAKE_KEY_LIFE = 60;

/**
 * Waits for the markers of many queues with one blocking read. It reads only while there are waiters, and only the
 * markers that they wait for: other replicas would miss a marker that was taken without a waiter, so one that arrives
 * after its waiter left is put back.
 */
export class MarkerReader {
  readonly #blocking: RedisClient;
  readonly #commands: RedisClient;
  readonly #logger: LoggerPort;
  /**
   * A key of this reader's own that is part of every read. Filling it ends the read, so that the next one covers more
   * keys.
   */
  readonly #wakeKey: string;
  readonly #waiters = new Map<string, Set<() => void>>();
  #read: ReadonlySet<string> | undefined;
  #running = false;

  constructor(
    blocking: RedisClient,
    commands: RedisClient,
    wakeKeyPrefix: string,
    logger: LoggerPort,
  ) {
    this.#blocking = blocking;
    this.#commands = commands;
    this.#logger = logger;
    this.#wakeKey = wakeKeyPrefix + randomUUID();
  }

  get size(): number {
    return this.#waiters.size;
  }

  watches(marker: string): boolean {
    return this.#waiters.has(marker);
  }

  /** Resolves when the marker was taken, after `ms` (less than 24 days) or on abort. */
  wait(marker: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#leave(marker, done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
      this.#join(marker, done);
    });
  }

  #join(marker: string, waiter: () => void): void {
    const waiters = this.#waiters.get(marker) ?? new Set();
    this.#waiters.set(marker, waiters.add(waiter));
    if (!this.#running) void this.#run();
    else if (this.#read?.has(marker) === false) this.#wake();
  }

  #leave(marker: string, waiter: () => void): void {
    const waiters = this.#waiters.get(marker);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiters.delete(marker);
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiters.size > 0) {
      // Waiters that join in the same turn of the event loop share the read.
      await Promise.resolve();
      const markers = [...this.#waiters.keys()];
      if (markers.length > 0) await this.#readOnce(markers);
    }
    this.#running = false;
  }

  async #readOnce(markers: readonly string[]): Promise<void> {
    this.#read = new Set(markers);
    let answered = false;
    const renew = (): void => {
      if (answered) return;
      this.#logger.warn('A blocking read timed out: reconnecting');
      this.#blocking.disconnect(true);
    };
    // Immediates run after the event loop has read what arrived during a pause.
    const watchdog = setTimeout(() => setImmediate(renew), STUCK_AFTER);
    try {
      const popped = await this.#blocking.bzpopmin(...markers, this.#wakeKey, BLOCK_SECONDS);
      this.#read = undefined;
      if (popped !== null) this.#deliver(popped[0], popped[1], popped[2]);
    } catch (error) {
      this.#read = undefined;
      this.#logger.debug('A blocking read failed', { error });
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE));
    } finally {
      answered = true;
      clearTimeout(watchdog);
    }
  }

  #deliver(marker: string, member: string, score: string): void {
    if (marker === this.#wakeKey) return;
    const waiters = this.#waiters.get(marker);
    if (waiters !== undefined) {
      for (const waiter of [...waiters]) waiter();
      return;
    }
    this.#commands.zadd(marker, 'NX', score, member).catch((error: unknown) => {
      this.#logger.debug('A marker could not be put back', { error });
    });
  }

  #wake(): void {
    // Counts as part of the read from now on: one wake-up serves all waiters that join before it ends.
    this.#read = undefined;
    this.#commands
      .multi()
      .zadd(this.#wakeKey, 0, '0')
      .expire(this.#wakeKey, WAKE_KEY_LIFE)
      .exec()
      .catch((error: unknown) => {
        this.#logger.debug('A blocking read could not be woken', { error });
      });
  }
}
