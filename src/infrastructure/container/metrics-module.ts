import { ContainerModule } from 'inversify';
import { createMetricsApp } from '../../adapters/inbound/http/api/metrics-app.ts';
import { HttpServer } from '../../adapters/inbound/http/server/http-server.ts';
import { AttemptMetrics } from '../../adapters/outbound/prometheus/attempt-metrics.ts';
import { PrometheusMetrics } from '../../adapters/outbound/prometheus/prometheus-metrics.ts';
import { QueueAccounts } from '../../adapters/outbound/prometheus/queue-accounts.ts';
import { EventGaps } from '../../adapters/outbound/prometheus/event-gaps.ts';
import { HookDeliveries } from '../../adapters/outbound/prometheus/hook-deliveries.ts';
import { RequestCounts } from '../../adapters/outbound/prometheus/request-counts.ts';
import { StoreGauges } from '../../adapters/outbound/prometheus/store-gauges.ts';
import { StoreTimer } from '../../adapters/outbound/prometheus/store-timer.ts';
import { traceSpans } from '../../adapters/outbound/prometheus/trace-spans.ts';
import { timed } from '../../adapters/outbound/prometheus/timed.ts';
import { STORE_HEALTH_NATURES } from '../../application/ports/store-health-port.ts';
import type { Config } from '../config/config.ts';
import { timeStorePorts } from './store-module.ts';
import { token, tokens } from './tokens.ts';

const storeGauges = token<StoreGauges>('store gauges');
const queueAccounts = token<QueueAccounts>('queue accounts');

/** The metrics: all users of the store ports get the timed ones. */
export function metricsModule({ metrics, http }: Config): ContainerModule {
  return new ContainerModule(({ bind, onActivation }) => {
    const timer = new StoreTimer();
    const requests = new RequestCounts();
    const gaps = new EventGaps();
    const deliveries = new HookDeliveries();
    bind(queueAccounts).toResolvedValue(
      (clock) => new QueueAccounts(metrics.queues, clock),
      [tokens.clock],
    );
    timeStorePorts(onActivation, timer);
    onActivation(tokens.storeHealth, (_, health) => timed(health, STORE_HEALTH_NATURES, timer));
    bind(tokens.attemptObserver).toResolvedValue(
      (accounts) => new AttemptMetrics(accounts),
      [queueAccounts],
    );
    bind(storeGauges).toResolvedValue(
      ({ shared, demands }) =>
        new StoreGauges({
          ...shared,
          workers: shared.workerStore,
          inForce: shared.workers,
          demands,
          health: shared.storeHealth,
        }),
      [tokens.composition],
    );
    bind(tokens.eventObserver).toConstantValue(gaps);
    bind(tokens.deliveryObserver).toConstantValue(deliveries);
    bind(tokens.exchangeObserver).toConstantValue(requests);
    bind(tokens.metrics).toResolvedValue(
      (accounts, gauges, tracing) => {
        const others = [timer.metric, requests.metric, gaps.metric, deliveries.metric];
        if (tracing !== undefined) others.push(traceSpans(tracing));
        return new PrometheusMetrics(accounts, gauges, others);
      },
      [queueAccounts, storeGauges, tokens.tracing],
    );
    bind(tokens.metricsServer).toResolvedValue(
      (source, logger) => {
        const { port } = metrics;
        if (port === undefined) return undefined;
        const settings = { ...http, port, name: 'metrics server' };
        return new HttpServer(createMetricsApp(source, logger), settings, logger);
      },
      [tokens.metrics, tokens.logger],
    );
  });
}
