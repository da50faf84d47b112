import type { RedisClient } from './redis-client.ts';

/**
 * Estimates the time on the store's own clock, which may differ from that of this machine. It is
 * measured anew whenever a connection is made.
 */
export class StoreTime {
  /** Milliseconds that the store's clock is ahead of ours; undefined until it was measured. */
  #ahead: number | undefined;

  constructor(client: RedisClient) {
    const measure = (): void => {
      const asked = Date.now();
      client.time().then(
        ([seconds, microseconds]) => {
          const here = (asked + Date.now()) / 2;
          this.#ahead = Number(seconds) * 1000 + Number(microseconds) / 1000 - here;
        },
        () => undefined,
      );
    };
    client.on('ready', measure);
    if (client.status === 'ready') measure();
  }

  /** The moment `ms` from now in epoch milliseconds of the store; never, as long as that is unknown. */
  in(ms: number): number {
    if (this.#ahead === undefined) return Number.MAX_SAFE_INTEGER;
    return Math.floor(Date.now() + this.#ahead + ms);
  }
}
