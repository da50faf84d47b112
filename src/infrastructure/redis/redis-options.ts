import type { RedisOptions } from 'ioredis';

/** Longest time to connect or to wait for an answer, in milliseconds: clients get a 503 within it. */
const PATIENCE = 2000;

/** Longest pause between two attempts to connect, in milliseconds. */
const LONGEST_PAUSE = 1000;

const reconnecting: RedisOptions = {
  connectTimeout: PATIENCE,
  retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_PAUSE),
  // A master that a failover made a replica refuses writes until the connection goes to the new one.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * Commands that answer at once: sent only while connected, never queued, never sent twice. A reply that
 * was lost must not store a job again.
 */
export const commandOptions: RedisOptions = {
  ...reconnecting,
  commandTimeout: PATIENCE,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
};

/** Commands that block. A lost connection ends them with an error, and the caller asks again. */
export const blockingOptions: RedisOptions = {
  ...reconnecting,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
};

export const subscriberOptions: RedisOptions = {
  ...reconnecting,
  enableOfflineQueue: false,
  maxRetriesPerRequest: null,
  autoResubscribe: false,
};
