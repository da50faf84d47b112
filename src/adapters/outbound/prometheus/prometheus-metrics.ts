import { collectDefaultMetrics, Registry } from 'prom-client';
import type { MetricsPort } from '../../../application/ports/metrics-port.ts';
import { correctEventLoopLag, LAG_INTERVAL } from './event-loop-lag.ts';
import { registerMetric, type Metric } from './metric.ts';
import type { QueueAccounts } from './queue-accounts.ts';
import { queueMetrics } from './queue-metrics.ts';
import type { StoreGauges } from './store-gauges.ts';

/** Gauges of prom-client with the names of counters, which `promtool check metrics` refuses. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** The metrics of this process in the text format of Prometheus, with those of Node.js. */
export class PrometheusMetrics implements MetricsPort {
  readonly #registry = new Registry();
  readonly #accounts: QueueAccounts;
  readonly #gauges: StoreGauges;
  #reading: Promise<string> | undefined;

  /** @param others metrics that depend on neither. */
  constructor(accounts: QueueAccounts, gauges: StoreGauges, others: readonly Metric[]) {
    this.#accounts = accounts;
    this.#gauges = gauges;
    const metrics = [...gauges.metrics, ...queueMetrics(accounts), ...others];
    for (const metric of metrics) registerMetric(this.#registry, metric);
    collectDefaultMetrics({
      register: this.#registry,
      eventLoopMonitoringPrecision: LAG_INTERVAL,
    });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
    correctEventLoopLag(this.#registry);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Concurrent readers share one answer, so that only one reads from the store at a time. */
  read(): Promise<string> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<string> {
    await this.#gauges.read(this.#accounts);
    return this.#registry.metrics();
  }
}
