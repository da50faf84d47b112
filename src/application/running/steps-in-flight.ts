/** The steps that began since the last call of `over`. */
interface Steps {
  running: number;
  end: () => void;
}

/** Counts steps that run, for those who have to wait until all that have begun are over. */
export class StepsInFlight {
  #latest: Steps = { running: 0, end: () => undefined };
  /** Resolves when all steps before the latest are over. */
  #earlier: Promise<unknown> = Promise.resolve();

  async run<Answer>(step: () => Promise<Answer>): Promise<Answer> {
    const steps = this.#latest;
    steps.running += 1;
    try {
      return await step();
    } finally {
      steps.running -= 1;
      if (steps.running === 0) steps.end();
    }
  }

  /** Resolves when all steps that have begun are over, however they end. */
  async over(): Promise<void> {
    const steps = this.#latest;
    this.#latest = { running: 0, end: () => undefined };
    if (steps.running > 0) {
      const ended = new Promise<void>((resolve) => {
        steps.end = resolve;
      });
      this.#earlier = Promise.all([this.#earlier, ended]);
    }
    await this.#earlier;
  }
}
