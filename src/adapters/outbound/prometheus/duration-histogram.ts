import type { Labels, Sample } from './metric.ts';

/** Counts durations in seconds by bucket. */
export class DurationHistogram {
  readonly #bounds: readonly number[];
  /** One more bucket than there are bounds: the last is for durations that exceed them all. */
  readonly #buckets: Float64Array;
  #sum = 0;

  /** @param bounds the upper bounds of the buckets, in seconds, in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#buckets = new Float64Array(bounds.length + 1);
  }

  observe(seconds: number): void {
    let index = 0;
    while (index < this.#bounds.length && seconds > (this.#bounds[index] as number)) index += 1;
    this.#buckets[index] = (this.#buckets[index] as number) + 1;
    this.#sum += seconds;
  }

  /** Adds the counts of another histogram with the same bounds. */
  absorb(other: DurationHistogram): void {
    other.#buckets.forEach((count, index) => {
      this.#buckets[index] = (this.#buckets[index] as number) + count;
    });
    this.#sum += other.#sum;
  }

  samples(name: string, labels: Labels): readonly Sample[] {
    const samples: Sample[] = [];
    let count = 0;
    this.#buckets.forEach((inBucket, index) => {
      count += inBucket;
      const le = this.#bounds[index] ?? '+Inf';
      samples.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: count });
    });
    samples.push({ metricName: `${name}_sum`, labels, value: this.#sum });
    samples.push({ metricName: `${name}_count`, labels, value: count });
    return samples;
  }
}
