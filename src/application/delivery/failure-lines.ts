/** Most lines about failed jobs of a queue within a second; the rest is counted. */
const MOST_LINES = 10;

/** The time that the lines are counted in, in milliseconds. */
export const LINES_WINDOW = 1000;

/** How many lines about failed jobs of one queue the log takes. */
export class FailureLines {
  /** When (epoch ms) the last lines were written, oldest first. */
  readonly #lines: number[] = [];
  #untold = 0;

  /** Whether there may be a line now. If not, the failure is counted; the first one of a count says so. */
  take(now: number): 'line' | 'first untold' | 'untold' {
    const [oldest = -Infinity] = this.#lines;
    if (this.#lines.length === MOST_LINES && now - oldest < LINES_WINDOW) {
      this.#untold += 1;
      return this.#untold === 1 ? 'first untold' : 'untold';
    }
    if (this.#lines.length === MOST_LINES) this.#lines.shift();
    this.#lines.push(now);
    return 'line';
  }

  /** How many failures had no line since this was asked last. */
  takeUntold(): number {
    const untold = this.#untold;
    this.#untold = 0;
    return untold;
  }
}
