import type { Gauge, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/**
 * The milliseconds between two looks at the event loop. Each wakes the process: at the library's own interval of 10 ms
 * that makes up more than half of the cost of an idle service.
 */
export const LAG_INTERVAL = 100;

const FIGURES = ['min', 'max', 'mean', 'p50', 'p90', 'p99'] as const;

/** Seconds. Before the first measurement Node.js reports 2^63 ns, 0 or NaN. */
const SHORTEST = LAG_INTERVAL / 2 / 1000;
const LONGEST = 2 ** 62 / 1e9;

type Read = MetricObjectWithValues<MetricValue<string>>;

/**
 * Node.js measures the time from one look to the next, so the library reports a lag as long as the interval for an idle
 * process. Here the lag is the time on top of the interval, and nothing before the first look.
 *
 * @param registry holds the library's own metrics, measured at LAG_INTERVAL.
 */
export function correctEventLoopLag(registry: Registry): void {
  for (const figure of FIGURES) {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    const measured = registry.getSingleMetric(name) as Gauge;
    const read = measured.get.bind(measured);
    measured.get = async () => withoutInterval(await read());
  }
}

function withoutInterval(metric: Read): Read {
  const values = metric.values
    .filter(({ value }) => value > SHORTEST && value < LONGEST)
    .map((sample) => ({ ...sample, value: Math.max(0, sample.value - LAG_INTERVAL / 1000) }));
  return { ...metric, values };
}
