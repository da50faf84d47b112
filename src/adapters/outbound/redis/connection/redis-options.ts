import type { RedisOptions } from 'ioredis';
import { PATIENCE } from './patience.ts';

/** The longest pause between two attempts to connect, in milliseconds. */
const LONGEST_PAUSE = 1000;

const everyConnection: RedisOptions = {
  connectTimeout: PATIENCE,
  // The store lists the connection under this name. The library's client info needs its version, which a bundle does
  // not have.
  connectionName: 'jobgate',
  disableClientInfo: true,
  retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_PAUSE),
  // After a failover the old master refuses writes until the connection moves to the new one.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * Commands that answer at once: sent only while connected, never queued, never sent twice. A lost reply must not store
 * a job again. AnswerWatch decides how long they wait for their answers: a timer of the library would count a pause of
 * the event loop as time that the store took.
 */
export const commandOptions: RedisOptions = {
  ...everyConnection,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
};

/**
 * Commands that block. The first one waits for its new connection. If the connection is lost or cannot be made, the
 * command fails, and the caller repeats it.
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
