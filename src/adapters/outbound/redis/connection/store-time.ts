import type { RedisClient } from './redis-client.ts';

/** The longest time that a good measurement may take, in milliseconds. */
const GOOD_ROUND_TRIP = 20;

/** How often, at most, a new connection asks for the time to get a good measurement. */
const MOST_MEASUREMENTS = 5;

/**
 * Estimates the time on the store's own clock, which may differ from that of this machine. It is measured again on each
 * new connection. The estimate is never ahead of the store's clock, and behind it by the time of one answer, so that
 * its users are early rather than late.
 */
export class StoreTime {
  readonly #client: RedisClient;
  /** Milliseconds by which the store's clock is ahead of the monotonic one here; undefined until measured. */
  #ahead: number | undefined;
  /** The current measurement. */
  #measuring: Promise<void> | undefined;

  constructor(client: RedisClient) {
    this.#client = client;
    client.on('ready', () => {
      this.#ahead = undefined;
      void this.#begin();
    });
    if (client.status === 'ready') void this.#begin();
  }

  get isKnown(): boolean {
    return this.#ahead !== undefined;
  }

  /** Resolves when the time is known or cannot be measured now. While it is unknown, each call tries again. */
  measured(): Promise<void> {
    if (this.isKnown) return Promise.resolve();
    return this.#measuring ?? this.#begin();
  }

  /**
   * The moment `ms` from now, in epoch milliseconds of the store; infinitely far away while the store's time is
   * unknown.
   */
  in(ms: number): number {
    if (this.#ahead === undefined) return Number.MAX_SAFE_INTEGER;
    return Math.floor(performance.now() + this.#ahead + ms);
  }

  #begin(): Promise<void> {
    const measuring = this.#measure().finally(() => {
      if (this.#measuring === measuring) this.#measuring = undefined;
    });
    this.#measuring = measuring;
    return measuring;
  }

  async #measure(): Promise<void> {
    let shortest = Infinity;
    for (let count = 0; count < MOST_MEASUREMENTS && shortest > GOOD_ROUND_TRIP; count += 1) {
      const asked = performance.now();
      try {
        const [seconds, microseconds] = await this.#client.time();
        const answered = performance.now();
        if (answered - asked >= shortest) continue;
        shortest = answered - asked;
        this.#ahead = Number(seconds) * 1000 + Number(microseconds) / 1000 - answered;
      } catch {
        return;
      }
    }
  }
}
