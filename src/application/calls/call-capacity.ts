import { LogThrottle } from '../running/log-throttle.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import { anyOf, Notifier } from '../running/notifier.ts';

/** How long (ms) no call starts after a shortage. */
const PAUSE = 500;

/** The share of the calls that survived a shortage which may run after it, since others need connections too. */
const KEPT = 0.75;

/** The share of itself, at least one call, by which the bound grows at this interval (ms) while calls succeed. */
const [GROWTH, GROWS_EVERY] = [0.05, 1000];

/**
 * Bounds the concurrent calls of all consumers of the replica. There is no bound until the process or its machine runs
 * out of resources for a call; from then on the bound shrinks with every shortage and slowly grows again.
 */
export class CallCapacity {
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #lines = new LogThrottle();
  readonly #changed = new Notifier();
  #calls = 0;
  #bound = Infinity;
  #isPaused = false;
  /** How many of the calls that ran when the shortage began have not failed because of it since. */
  #connected = 0;
  #waiting = 0;
  #growsAt = 0;

  constructor(clock: ClockPort, logger: LoggerPort) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Whether a slot may be used for another call: not when too many are in use, or other consumers wait for one. */
  get allowsNext(): boolean {
    return !this.#isPaused && this.#calls <= this.#bound && this.#waiting === 0;
  }

  /** Takes a slot for a call, if one is free. */
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

  /** A call got a connection. */
  succeeded(): void {
    if (this.#bound === Infinity || this.#clock.now() < this.#growsAt) return;
    this.#growsAt = this.#clock.now() + GROWS_EVERY;
    this.#bound += Math.max(1, Math.floor(this.#bound * GROWTH));
    this.#changed.notify();
  }

  /**
   * A call could not be made, for `reason`. Failures until the end of the pause after the first one belong to the same
   * shortage: their number shows how many of the calls at its beginning did get a connection.
   */
  ranShort(reason: string): void {
    if (!this.#isPaused) {
      this.#connected = this.#calls;
      void this.#pause(reason);
    }
    this.#connected -= 1;
    this.#bound = Math.max(1, Math.min(this.#bound, Math.floor(this.#connected * KEPT)));
  }

  async #pause(reason: string): Promise<void> {
    this.#isPaused = true;
    await this.#clock.sleep(PAUSE);
    this.#isPaused = false;
    this.#growsAt = this.#clock.now() + GROWS_EVERY;
    this.#report(reason);
    this.#changed.notify();
  }

  #report(reason: string): void {
    const shortages = this.#lines.note(this.#clock.now());
    if (shortages === 0) return;
    const facts = { reason, calls: this.#bound, shortages };
    this.#logger.warn(
      'This replica ran short of connections or memory and makes fewer calls',
      facts,
    );
  }
}
