import type { RedisOptions } from 'ioredis';
import { PATIENCE } from './patience.ts';

/** Longest pause between two attempts to connect, in milliseconds. */
const LONGEST_PAUSE = 1000;

const everyConnection: RedisOptions = {
  connectTimeout: PATIENCE,
  // What the store lists its connections by, in place of the library, whose version is not in a bundle.
  connectionName: 'jobgate',
  disableClientInfo: true,
  retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_PAUSE),
  // A master that a failover made a replica refuses writes until the connection goes to the new one.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * Commands that answer at once: sent only while connected, never queued, never sent twice. A reply that
 * was lost must not store a job again. How long they wait for their answers, AnswerWatch decides: a
 * timer of the library would count a pause of our own event loop as time that the store took.
 */
export const commandOptions: RedisOptions = {
  ...everyConnection,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
};

/**
 * Commands that block. The first one waits for its new connection; a connection that is lost, or cannot
 * be made, ends a command with an error, and the caller asks again.
 */
export const blockingOptions: RedisOptions = {
  ...everyConnection,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
};

export const subscriberOptions: RedisOptions = {
  ...everyConnection,
  enableOfflineQueue: false,
  maxRetriesPerRequest: null,
  autoResubscribe: false,
};
