import type { Metric as LibraryMetric, Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string | number>>;

/** One line of a metric. */
export interface Sample {
  /** In place of the name of the metric, such as that of a bucket. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric whose samples are made when they are asked for. */
export interface Metric {
  readonly name: string;
  /** What it counts or measures, and its unit. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** What several processes of one replica make of it together. */
  readonly aggregator: 'sum' | 'max';
  samples(): readonly Sample[];
}

/**
 * The library's own counters put labels into a key at each count, which takes one microsecond or two. Ours
 * are plain numbers, and the library sees them when it writes the page.
 */
export function registerMetric(registry: Registry, metric: Metric): void {
  const { name, help, type, aggregator } = metric;
  const get = () => Promise.resolve({ name, help, type, aggregator, values: metric.samples() });
  // What the library asks of a metric is no more than this; its types know those of its own alone.
  registry.registerMetric({ name, get } as unknown as LibraryMetric);
}
