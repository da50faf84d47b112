import type { Metric as LibraryMetric, Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string | number>>;

/** One line of a metric. */
export interface Sample {
  /** Replaces the name of the metric, such as for a bucket. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric whose samples are made on demand. */
export interface Metric {
  readonly name: string;
  /** What it counts or measures, and its unit. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[];
}

/**
 * The library's own counters build a key from the labels at each count, which takes a microsecond or two. These are
 * plain numbers, which the library reads when it writes the page.
 */
export function registerMetric(registry: Registry, metric: Metric): void {
  const { name, help, type } = metric;
  // How the values of several processes of one replica are combined.
  const aggregator = type === 'gauge' ? 'max' : 'sum';
  const get = () => Promise.resolve({ name, help, type, aggregator, values: metric.samples() });
  // The library needs no more of a metric than this; its types only allow its own metrics.
  registry.registerMetric({ name, get } as unknown as LibraryMetric);
}
