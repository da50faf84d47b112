import { ContainerModule } from 'inversify';
import { createMetricsApp } from '../../adapters/inbound/http/api/metrics-app.ts';
import { HttpServer } from '../../adapters/inbound/http/server/http-server.ts';
import { AttemptMetrics } from '../../adapters/outbound/prometheus/attempt-metrics.ts';
import { MeasuredAttemptEngine } from '../../adapters/outbound/prometheus/measured-attempt-engine.ts';
import { MeasuredAttemptHolders } from '../../adapters/outbound/prometheus/measured-attempt-holders.ts';
import { MeasuredAttemptSweeps } from '../../adapters/outbound/prometheus/measured-attempt-sweeps.ts';
import { MeasuredFlows } from '../../adapters/outbound/prometheus/measured-flows.ts';
import { MeasuredJobControl } from '../../adapters/outbound/prometheus/measured-job-control.ts';
import { MeasuredJobScan } from '../../adapters/outbound/prometheus/measured-job-scan.ts';
import { MeasuredQueueControl } from '../../adapters/outbound/prometheus/measured-queue-control.ts';
import { MeasuredQueueDirectory } from '../../adapters/outbound/prometheus/measured-queue-directory.ts';
import { MeasuredQueues } from '../../adapters/outbound/prometheus/measured-queues.ts';
import { PrometheusMetrics } from '../../adapters/outbound/prometheus/prometheus-metrics.ts';
import { QueueAccounts } from '../../adapters/outbound/prometheus/queue-accounts.ts';
import { QueueDepths } from '../../adapters/outbound/prometheus/queue-depths.ts';
import { RequestCounts } from '../../adapters/outbound/prometheus/request-counts.ts';
import { StoreTimer } from '../../adapters/outbound/prometheus/store-timer.ts';
import { AttemptObservers } from '../../application/attempts/attempt-observers.ts';
import type { Config } from '../config/config.ts';
import { token, tokens } from './tokens.ts';

const queueAccounts = token<QueueAccounts>('queue accounts');

/** The metrics: all users of the ports get the measured ones. */
export function metricsModule({ metrics, http }: Config): ContainerModule {
  return new ContainerModule(({ bind, onActivation }) => {
    const timer = new StoreTimer();
    const requests = new RequestCounts();
    bind(queueAccounts).toResolvedValue(
      (clock) => new QueueAccounts(metrics.queues, clock),
      [tokens.clockPort],
    );
    onActivation(tokens.queuePort, (context, queues) => {
      const clock = context.get(tokens.clockPort);
      return new MeasuredQueues(queues, context.get(queueAccounts), timer, clock);
    });
    onActivation(tokens.flowPort, (context, flows) => {
      return new MeasuredFlows(flows, context.get(queueAccounts), timer);
    });
    onActivation(tokens.queueControlPort, (_, control) => new MeasuredQueueControl(control, timer));
    onActivation(tokens.queueDirectoryPort, (_, directory) => {
      return new MeasuredQueueDirectory(directory, timer);
    });
    onActivation(tokens.attemptEnginePort, (context, attempts) => {
      return new MeasuredAttemptEngine(attempts, context.get(queueAccounts), timer);
    });
    onActivation(tokens.attemptHolderPort, (_, holders) => {
      return new MeasuredAttemptHolders(holders, timer);
    });
    onActivation(tokens.attemptSweepPort, (_, sweeps) => new MeasuredAttemptSweeps(sweeps, timer));
    onActivation(tokens.jobControlPort, (context, control) => {
      return new MeasuredJobControl(control, context.get(queueAccounts), timer);
    });
    onActivation(tokens.jobScanPort, (_, scan) => new MeasuredJobScan(scan, timer));
    onActivation(tokens.attemptObserver, (context, observer) => {
      return new AttemptObservers(observer, new AttemptMetrics(context.get(queueAccounts)));
    });
    bind(tokens.exchangeObserver).toConstantValue(requests);
    bind(tokens.metricsPort).toResolvedValue(
      (queues, accounts, clock, logger) => {
        const depths = new QueueDepths(queues, clock, logger);
        return new PrometheusMetrics(accounts, depths, [timer.metric, requests.metric]);
      },
      [tokens.queuePort, queueAccounts, tokens.clockPort, tokens.loggerPort],
    );
    bind(tokens.metricsServer).toResolvedValue(
      (source, logger) => {
        const { port } = metrics;
        if (port === undefined) return undefined;
        const settings = { ...http, port, name: 'metrics server' };
        return new HttpServer(createMetricsApp(source, logger), settings, logger);
      },
      [tokens.metricsPort, tokens.loggerPort],
    );
  });
}
