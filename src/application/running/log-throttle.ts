/** Pause between the first two lines, in milliseconds; each later pause is twice as long. */
const FIRST_PAUSE = 10_000;

/** Longest pause between two lines. After this long without an occurrence, the pauses start over. */
const LONGEST_PAUSE = 600_000;

/** Throttles the log lines about one persistent problem: the first at once, the others at growing intervals. */
export class LogThrottle {
  #pause = FIRST_PAUSE;
  #nextLineAt = -Infinity;
  #lastSeen = -Infinity;
  /** Occurrences since the last line. */
  #count = 0;

  /**
   * Counts an occurrence at `now` (epoch ms).
   *
   * @returns the number of occurrences since the last line when the next line is due, otherwise 0.
   */
  note(now: number): number {
    if (now - this.#lastSeen >= LONGEST_PAUSE) {
      this.#pause = FIRST_PAUSE;
      this.#count = 0;
    }
    this.#lastSeen = now;
    this.#count += 1;
    if (now < this.#nextLineAt) return 0;
    const count = this.#count;
    this.#count = 0;
    this.#nextLineAt = now + this.#pause;
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    return count;
  }
}
