import type { Cluster, Redis } from 'ioredis';

/** A connection to a store of any topology. */
export type RedisClient = Redis | Cluster;

/** The source of connections for adapters. Its implementation also closes them. */
export interface RedisConnections {
  /**
   * The shared connection for all commands that answer at once. It fails fast: a command is sent only while connected,
   * is never queued or repeated, and is given up within STORE_PATIENCE.
   */
  readonly commands: RedisClient;

  /** A new connection of its own for commands that block; it reconnects for ever. */
  blocking(): RedisClient;

  /** A new connection of its own for a subscription; it reconnects and subscribes again for ever. */
  subscriber(): RedisClient;
}
