interface WaitingRun {
  readonly size: number;
  readonly begin: () => void;
}

/** Bounds how much work is in progress at once. Beyond it runs begin in the order in which they came. */
export class WorkInFlight {
  readonly #most: number;
  readonly #waiting: WaitingRun[] = [];
  #size = 0;

  /** @param most the size of all runs in progress together. */
  constructor(most: number) {
    this.#most = most;
  }

  /** @param size where it is larger than the bound, the run is in progress alone. */
  async run<Answer>(size: number, run: () => Promise<Answer>): Promise<Answer> {
    const counted = Math.min(size, this.#most);
    const begun = new Promise<void>((begin) => {
      this.#waiting.push({ size: counted, begin });
    });
    this.#beginNext();
    await begun;
    try {
      return await run();
    } finally {
      this.#size -= counted;
      this.#beginNext();
    }
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#size + next.size > this.#most) return;
      this.#size += next.size;
      this.#waiting.shift();
      next.begin();
    }
  }
}
