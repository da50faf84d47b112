import type { RedisClient } from './redis-client.ts';

/**
 * How long commands wait for a lost connection to be restored, in milliseconds: as long as they wait for a silent
 * store. Commands that come later fail at once.
 */
const SHORT_OUTAGE = 1500;

/** A connection that was ready before, from its loss until it is ready again or the outage is no longer a short one. */
export class LostConnection {
  /** Resolves then. */
  readonly over: Promise<void>;

  constructor(client: RedisClient) {
    this.over = new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        client.off('ready', end).off('end', end);
        resolve();
      };
      const timer = setTimeout(end, SHORT_OUTAGE).unref();
      client.once('ready', end).once('end', end);
    });
  }
}
