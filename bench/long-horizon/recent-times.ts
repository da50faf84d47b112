import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** What a histogram counts in, in milliseconds. */
const UNIT = 0.01;

/** Times of the last periods, in memory that does not grow with their number. */
export class RecentTimes {
  readonly #periods: number;
  #histograms: RecordableHistogram[] = [createHistogram()];

  /** @param periods how many periods count as recent. */
  constructor(periods: number) {
    this.#periods = periods;
  }

  /** @param time in milliseconds. Clocks of two processes may differ by a little. */
  record(time: number): void {
    this.#histograms[0]?.record(Math.max(1, Math.round(time / UNIT)));
  }

  /** Begins the next period. */
  next(): void {
    this.#histograms = [createHistogram(), ...this.#histograms.slice(0, this.#periods - 1)];
  }

  /** In milliseconds; 0 without any. */
  percentile(percent: number): number {
    const all = createHistogram();
    for (const each of this.#histograms) all.add(each);
    return all.count === 0 ? 0 : all.percentile(percent) * UNIT;
  }
}
