import { ContainerModule } from 'inversify';
import { createMetricsApp } from '../../adapters/inbound/http/api/metrics-app.ts';
import { HttpServer } from '../../adapters/inbound/http/server/http-server.ts';
import { AttemptMetrics } from '../../adapters/outbound/prometheus/attempt-metrics.ts';
import { MeasuredAttempts } from '../../adapters/outbound/prometheus/measured-attempts.ts';
import { MeasuredJobControl } from '../../adapters/outbound/prometheus/measured-job-control.ts';
import { MeasuredQueueControl } from '../../adapters/outbound/prometheus/measured-queue-control.ts';
import { MeasuredQueues } from '../../adapters/outbound/prometheus/measured-queues.ts';
import { PrometheusMetrics } from '../../adapters/outbound/prometheus/prometheus-metrics.ts';
import { QueueAccounts } from '../../adapters/outbound/prometheus/queue-accounts.ts';
import { QueueDepths } from '../../adapters/outbound/prometheus/queue-depths.ts';
import { RequestCounts } from '../../adapters/outbound/prometheus/request-counts.ts';
import { StoreTimer } from '../../adapters/outbound/prometheus/store-timer.ts';
import { AttemptObservers } from '../../application/delivery/attempt-observers.ts';
import type { Config } from '../config/config.ts';
import { SystemClock } from '../system-clock.ts';
import { tokens } from './tokens.ts';

/** What is counted and measured: wherever the ports are used, they are the measured ones. */
export function metricsModule({ metrics, http }: Config): ContainerModule {
  return new ContainerModule(({ bind, onActivation }) => {
    const clock = new SystemClock();
    const accounts = new QueueAccounts(metrics.queues, clock);
    const timer = new StoreTimer();
    const requests = new RequestCounts();
    onActivation(tokens.queues, (_, queues) => new MeasuredQueues(queues, accounts, timer, clock));
    onActivation(tokens.queueControl, (_, control) => new MeasuredQueueControl(control, timer));
    onActivation(tokens.attempts, (_, attempts) => new MeasuredAttempts(attempts, accounts, timer));
    onActivation(tokens.jobControl, (_, control) => new MeasuredJobControl(control, timer));
    onActivation(tokens.attemptObserver, (_, observer) => {
      return new AttemptObservers(observer, new AttemptMetrics(accounts));
    });
    bind(tokens.exchangeObserver).toConstantValue(requests);
    bind(tokens.metrics).toResolvedValue(
      (queues, logger) => {
        const depths = new QueueDepths(queues, clock, logger);
        return new PrometheusMetrics(accounts, depths, [timer.metric, requests.metric]);
      },
      [tokens.queues, tokens.logger],
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
