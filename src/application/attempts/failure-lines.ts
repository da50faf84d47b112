/** Maximum number of lines about failed jobs of a queue per second; further failures are only counted. */
const MOST_LINES = 10;

/** The period in which the lines are counted, in milliseconds. */
export const LINES_WINDOW = 1000;

/** Limits the log lines about failed jobs of one queue. */
export class FailureLines {
  /** When (epoch ms) the last lines were written, oldest first. */
  readonly #lines: number[] = [];
  #unlogged = 0;

  /** Whether the failure gets a line now. If not, it is counted; `first unlogged` when the count starts with it. */
  take(now: number): 'line' | 'first unlogged' | 'unlogged' {
    const [oldest = -Infinity] = this.#lines;
    if (this.#lines.length === MOST_LINES && now - oldest < LINES_WINDOW) {
      this.#unlogged += 1;
      return this.#unlogged === 1 ? 'first unlogged' : 'unlogged';
    }
    if (this.#lines.length === MOST_LINES) this.#lines.shift();
    this.#lines.push(now);
    return 'line';
  }

  /** The number of failures without a line since the last call. */
  takeUnlogged(): number {
    const unlogged = this.#unlogged;
    this.#unlogged = 0;
    return unlogged;
  }
}
