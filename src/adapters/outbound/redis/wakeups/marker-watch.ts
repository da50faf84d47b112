import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { ownKey } from '../layout/own-keys.ts';
import type { RedisClient, RedisConnections } from '../connection/redis-client.ts';
import { MarkerShard } from './marker-shard.ts';

/** Markers that one blocking read watches. More would make each read, sent anew per job, too long. */
const MARKERS_PER_SHARD = 50;

/**
 * Waits for the markers by which BullMQ announces jobs: one blocking connection serves many queues,
 * so that a replica can hold thousands of workers.
 */
export class MarkerWatch {
  readonly #connections: RedisConnections;
  readonly #wakeKeyPrefix: string;
  readonly #logger: LoggerPort;
  readonly #shards: MarkerShard[] = [];
  readonly #shardOf = new Map<string, MarkerShard>();

  /** @param prefix of the queues' keys: the wake-up keys share it, and so their hash slot. */
  constructor(connections: RedisConnections, prefix: string, logger: LoggerPort) {
    this.#connections = connections;
    this.#wakeKeyPrefix = ownKey(prefix, 'wake:');
    this.#logger = logger;
  }

  /** Resolves when the marker appears, which takes it away, after `ms` or on abort. It never rejects. */
  async wait(marker: string, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || ms <= 0) return;
    const shard = this.#shardOf.get(marker) ?? this.#assign(marker);
    await shard.wait(marker, ms, signal);
    if (!shard.watches(marker)) this.#shardOf.delete(marker);
  }

  #assign(marker: string): MarkerShard {
    const shard = this.#shards.find(({ size }) => size < MARKERS_PER_SHARD) ?? this.#newShard();
    this.#shardOf.set(marker, shard);
    return shard;
  }

  #newShard(): MarkerShard {
    const blocking: RedisClient = this.#connections.blocking();
    const shard = new MarkerShard(
      blocking,
      this.#connections.commands,
      this.#wakeKeyPrefix,
      this.#logger,
    );
    this.#shards.push(shard);
    return shard;
  }
}
