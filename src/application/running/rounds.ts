import type { ClockPort } from '../ports/clock-port.ts';

/** Runs rounds of work on a replica, one after the other, until it is stopped. */
export class Rounds {
  readonly #clock: ClockPort;
  readonly #round: () => Promise<number>;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  /** @param round resolves to the pause (ms) before the next one, and never rejects. */
  constructor(clock: ClockPort, round: () => Promise<number>) {
    this.#clock = clock;
    this.#round = round;
  }

  /** Does not wait for the first round. */
  start(): Promise<void> {
    this.#running ??= this.#run();
    return Promise.resolve();
  }

  /** Resolves when the current round, which is the last one, is over. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const pause = await this.#round();
      await this.#clock.sleep(pause, signal);
    }
  }
}
