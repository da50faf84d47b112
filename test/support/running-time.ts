/** Milliseconds between two looks at the clock. */
const STEP = 10;

/** The most that one step counts. A longer one was a pause of this process, which a loaded machine makes at any time. */
const LONGEST_STEP = 2 * STEP;

/** A stopwatch that runs while the event loop of this process does, for bounds that a pause of the process may exceed. */
export class RunningTime {
  readonly #timer: NodeJS.Timeout;
  #lookedAt = performance.now();
  #elapsed = 0;

  constructor() {
    this.#timer = setInterval(() => this.#look(), STEP);
  }

  /** Milliseconds since its start, without the pauses. */
  get elapsed(): number {
    this.#look();
    return this.#elapsed;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    this.#elapsed += Math.min(now - this.#lookedAt, LONGEST_STEP);
    this.#lookedAt = now;
  }
}
