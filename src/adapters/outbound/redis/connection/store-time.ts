import type { LoggerPort } from '../../../../application/ports/logger-port.ts';
import { isClockStep, setBy } from '../../../shared/clock-step.ts';
import type { RedisClient } from './redis-client.ts';

/** The longest time that a good measurement may take, in milliseconds. */
const GOOD_ROUND_TRIP = 20;

/** How often, at most, the time is asked for to get a good measurement. */
const MOST_MEASUREMENTS = 5;

/** How often (ms) the time is measured again: clocks drift, and no script notices that one was put back. */
const INTERVAL = 60_000;

interface Measurement {
  /** Milliseconds by which the store's clock is ahead of the monotonic one here. */
  readonly store: number;
  /** The same of this machine's clock. */
  readonly machine: number;
}

/**
 * Estimates the time on the store's own clock, which may differ from that of this machine. It is measured on each new
 * connection, once a minute, and whenever a script came late by the store's clock, which may have been set. The estimate
 * is not ahead of a clock that runs on, and behind it by the time of one answer, so that its users are early rather than
 * late.
 */
export class StoreTime {
  readonly #client: RedisClient;
  readonly #logger: LoggerPort;
  /** Undefined until measured. */
  #measured: Measurement | undefined;
  /** The current measurement. */
  #measuring: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: RedisClient, logger: LoggerPort) {
    this.#client = client;
    this.#logger = logger;
    client.on('ready', () => {
      this.#measured = undefined;
      void this.#begin();
    });
    client.once('end', () => {
      clearInterval(this.#timer);
    });
    if (client.status === 'ready') void this.#begin();
  }

  get isKnown(): boolean {
    return this.#measured !== undefined;
  }

  /** By how many ms the store's clock is ahead of the monotonic one here, for {@link wasSetSince}. */
  get offset(): number | undefined {
    return this.#measured?.store;
  }

  /** Whether the store's clock is another one than by that offset, so that a deadline by it says nothing. */
  wasSetSince(offset: number | undefined): boolean {
    const now = this.offset;
    return offset !== undefined && now !== undefined && isClockStep(now - offset);
  }

  /** Resolves when the time is known or cannot be measured now. While it is unknown, each call tries again. */
  measured(): Promise<void> {
    return this.isKnown ? Promise.resolve() : this.measureAgain();
  }

  /** Resolves when the time is measured anew or cannot be measured now, in which case the last estimate stays. */
  measureAgain(): Promise<void> {
    return this.#measuring ?? this.#begin();
  }

  /**
   * The moment `ms` from now, in epoch milliseconds of the store; infinitely far away while the store's time is
   * unknown.
   */
  in(ms: number): number {
    if (this.#measured === undefined) return Number.MAX_SAFE_INTEGER;
    return Math.floor(performance.now() + this.#measured.store + ms);
  }

  #begin(): Promise<void> {
    this.#timer ??= setInterval(() => void this.measureAgain(), INTERVAL).unref();
    const measuring = this.#measure().finally(() => {
      if (this.#measuring === measuring) this.#measuring = undefined;
    });
    this.#measuring = measuring;
    return measuring;
  }

  async #measure(): Promise<void> {
    const before = this.#measured;
    let best: Measurement | undefined;
    let shortest = Infinity;
    for (let count = 0; count < MOST_MEASUREMENTS && shortest > GOOD_ROUND_TRIP; count += 1) {
      const asked = performance.now();
      try {
        const [seconds, microseconds] = await this.#client.time();
        const answered = performance.now();
        if (answered - asked >= shortest) continue;
        shortest = answered - asked;
        const store = Number(seconds) * 1000 + Number(microseconds) / 1000 - answered;
        best = { store, machine: Date.now() - answered };
      } catch {
        break;
      }
    }
    if (best === undefined) return;
    this.#measured = best;
    if (before !== undefined) this.#note(best.store - before.store, best.machine - before.machine);
  }

  /** A clock that both share is in the log as that of this machine. */
  #note(store: number, machine: number): void {
    if (!isClockStep(store) || !isClockStep(store - machine)) return;
    this.#logger.warn(`The clock of the store was ${setBy(store)}: deadlines follow it`);
  }
}
