import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import { anyOf, Notifier } from './notifier.ts';

/** How long no call begins after a shortage, in milliseconds. */
const PAUSE = 500;

/** Time between two lines about shortages, in milliseconds: doubled each time, up to the latter. */
const [FIRST_INTERVAL, LONGEST_INTERVAL] = [10_000, 3_600_000];

/**
 * How many calls the replica makes at once, all its consumers together: as many as they like, until the
 * process or its machine runs short of what a connection takes. Then it is a bound, which shrinks with
 * every shortage and grows again slowly, by one for as many calls as it allows at once.
 */
export class CallCapacity {
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #changed = new Notifier();
  #calls = 0;
  #bound = Infinity;
  #isPaused = false;
  #waiting = 0;
  #nextLineAt = -Infinity;
  #lineInterval = FIRST_INTERVAL;
  #shortages = 0;

  constructor(clock: ClockPort, logger: LoggerPort) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Whether a slot may be used for another call: not when there are too many, or others wait for one. */
  get allowsNext(): boolean {
    return !this.#isPaused && this.#calls <= this.#bound && this.#waiting === 0;
  }

  /** Takes a slot for a call, if there is one. */
  take(): boolean {
    if (this.#isPaused || this.#calls >= this.#bound) return false;
    this.#calls += 1;
    return true;
  }

  free(): void {
    this.#calls -= 1;
    if (this.#waiting > 0) this.#changed.notify();
  }

  /** Resolves when there may be a slot to take, or when the signal aborts. */
  async change(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    await anyOf(signal, this.#changed.signal);
    this.#waiting -= 1;
  }

  /** A call got its connection. */
  succeeded(): void {
    if (this.#bound !== Infinity) this.#bound += 1 / this.#bound;
  }

  /** A call got none, for `reason`. Shortages within the pause after one are the same shortage. */
  ranShort(reason: string): void {
    this.#shortages += 1;
    if (this.#isPaused) return;
    this.#bound = Math.max(1, Math.floor(Math.min(this.#bound, this.#calls) / 2));
    this.#report(reason);
    void this.#pause();
  }

  async #pause(): Promise<void> {
    this.#isPaused = true;
    await this.#clock.sleep(PAUSE);
    this.#isPaused = false;
    this.#changed.notify();
  }

  #report(reason: string): void {
    const now = this.#clock.now();
    if (now < this.#nextLineAt) return;
    const wasQuiet = now >= this.#nextLineAt + this.#lineInterval;
    const longer = Math.min(2 * this.#lineInterval, LONGEST_INTERVAL);
    this.#lineInterval = wasQuiet ? FIRST_INTERVAL : longer;
    this.#nextLineAt = now + this.#lineInterval;
    const facts = { reason, calls: this.#bound, shortages: this.#shortages };
    this.#logger.warn('This replica ran short of connections and makes fewer calls', facts);
  }
}
