import type { ClockPort } from '../ports/clock-port.ts';

/** What a replica does in rounds, one after the other, for as long as it runs. */
export class Rounds {
  readonly #clock: ClockPort;
  readonly #round: () => Promise<number>;
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  /** @param round answers how many ms to wait for the next one, and raises nothing. */
  constructor(clock: ClockPort, round: () => Promise<number>) {
    this.#clock = clock;
    this.#round = round;
  }

  /** Does not wait for the first round. */
  start(): Promise<void> {
    this.#running ??= this.#run();
    return Promise.resolve();
  }

  /** Resolves when the round that runs is over; there is none after it. */
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
