import { DurationHistogram } from './duration-histogram.ts';
import type { Metric } from './metric.ts';

/** From a store on the same machine to the two seconds after which it counts as away. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

/** How long calls of the store take, including those that fail. */
export class StoreTimer {
  readonly #durations = new DurationHistogram(BOUNDS);

  /** @returns the call itself, so that its caller does not wait for the timer too. */
  time<Value>(call: Promise<Value>): Promise<Value> {
    const startedAt = performance.now();
    const observe = (): void => {
      this.#durations.observe((performance.now() - startedAt) / 1000);
    };
    call.then(observe, observe);
    return call;
  }

  get metric(): Metric {
    const name = 'jobgate_store_seconds';
    return {
      name,
      help: 'How long calls of the store take',
      type: 'histogram',
      samples: () => this.#durations.samples(name, {}),
    };
  }
}
