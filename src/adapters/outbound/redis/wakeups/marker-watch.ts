import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';
import { MarkerReader } from './marker-reader.ts';

/**
 * How many markers one blocking read watches. With more, each read, which is sent again for every job, would be too
 * long.
 */
const MARKERS_PER_READER = 50;

/**
 * Waits for the markers by which BullMQ announces jobs: one blocking connection serves many queues,
 * so that a replica can hold thousands of workers.
 */
export class MarkerWatch {
  readonly #connections: RedisConnections;
  readonly #wakeKeyPrefix: string;
  readonly #logger: LoggerPort;
  readonly #readers: MarkerReader[] = [];
  readonly #readerOf = new Map<string, MarkerReader>();

  /** @param prefix of the queues' keys: the wake-up keys share it, and so their hash slot. */
  constructor(connections: RedisConnections, prefix: string, logger: LoggerPort) {
    this.#connections = connections;
    this.#wakeKeyPrefix = ownKey(prefix, 'wake:');
    this.#logger = logger;
  }

  /** Resolves when the marker appears, which removes it, after `ms` or on abort. It never rejects. */
  async wait(marker: string, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || ms <= 0) return;
    const reader = this.#readerOf.get(marker) ?? this.#assign(marker);
    await reader.wait(marker, ms, signal);
    if (!reader.watches(marker)) this.#readerOf.delete(marker);
  }

  #assign(marker: string): MarkerReader {
    const reader = this.#readers.find(({ size }) => size < MARKERS_PER_READER) ?? this.#newReader();
    this.#readerOf.set(marker, reader);
    return reader;
  }

  #newReader(): MarkerReader {
    const blocking: RedisClient = this.#connections.blocking();
    const reader = new MarkerReader(
      blocking,
      this.#connections.commands,
      this.#wakeKeyPrefix,
      this.#logger,
    );
    this.#readers.push(reader);
    return reader;
  }
}
