import { ContainerModule } from 'inversify';
import { AttemptReports } from '../../application/attempts/attempt-reports.ts';
import { JobClaims } from '../../application/attempts/job-claims.ts';
import { Events } from '../../application/events/events.ts';
import { Tickets } from '../../application/events/tickets.ts';
import { Flows } from '../../application/flows/flows.ts';
import { Health } from '../../application/health/health.ts';
import { AwaitedAdds } from '../../application/jobs/awaited-adds.ts';
import { BulkRepairs } from '../../application/jobs/bulk-repairs.ts';
import { Failures } from '../../application/jobs/failures.ts';
import { JobActions } from '../../application/jobs/job-actions.ts';
import { JobResults } from '../../application/jobs/job-results.ts';
import { JobWaits } from '../../application/jobs/job-waits.ts';
import { JobSearch } from '../../application/jobs/job-search.ts';
import { Jobs } from '../../application/jobs/jobs.ts';
import { Queues } from '../../application/queues/queues.ts';
import { AttemptLog } from '../../application/delivery/attempt-log.ts';
import { AttemptObservers } from '../../application/delivery/attempt-observers.ts';
import { CallRecorder } from '../../application/delivery/call-recorder.ts';
import { ExpirySweep } from '../../application/maintenance/expiry-sweep.ts';
import { OverdueSweep } from '../../application/maintenance/overdue-sweep.ts';
import { StalledSweep } from '../../application/maintenance/stalled-sweep.ts';
import { Policies } from '../../application/policies/policies.ts';
import { Schedulers } from '../../application/schedulers/schedulers.ts';
import { Fleet } from '../../application/workers/fleet.ts';
import { WorkerHealthReader } from '../../application/workers/worker-health-reader.ts';
import { Workers } from '../../application/workers/workers.ts';
import { flowJobShape } from '../../domain/flow.ts';
import { queueName } from '../../domain/queue-name.ts';
import { renewalInterval } from '../../domain/stalled-grace.ts';
import { workerShape } from '../../domain/worker.ts';
import type { Config } from '../config/config.ts';
import { RandomSecrets } from '../random-secrets.ts';
import { tokens } from './tokens.ts';

/** The use cases, and the fleet that processes jobs. */
export function applicationModule({ queues, workers }: Config): ContainerModule {
  const { nameLimits, maxJobsPerAdd } = queues;
  const { lockDuration, stalledInterval } = workers;
  return new ContainerModule(({ bind }) => {
    bind(tokens.jobs).toResolvedValue(
      (queues, attempts, policies) => new Jobs(queues, attempts, policies, maxJobsPerAdd),
      [tokens.queuePort, tokens.attemptPort, tokens.policies],
    );
    bind(tokens.attemptReports).toResolvedValue(
      (attempts, queues, workers, observer, clock) =>
        new AttemptReports(attempts, queues, workers, observer, clock),
      [
        tokens.attemptPort,
        tokens.queuePort,
        tokens.fleet,
        tokens.attemptObserver,
        tokens.clockPort,
      ],
    );
    bind(tokens.jobClaims).toResolvedValue(
      (attempts, workers, jobTokens, observer, clock, logger, signals) =>
        new JobClaims(
          { attempts, workers, tokens: jobTokens, observer, clock, logger },
          signals,
          lockDuration,
        ),
      [
        tokens.attemptPort,
        tokens.fleet,
        tokens.tokenPort,
        tokens.attemptObserver,
        tokens.clockPort,
        tokens.loggerPort,
        tokens.replicaSignalsPort,
      ],
    );
    bind(tokens.flows).toResolvedValue(
      (flows, policies, ids) =>
        new Flows(flows, policies, ids, flowJobShape(queueName(nameLimits))),
      [tokens.flowPort, tokens.policies, tokens.tokenPort],
    );
    bind(tokens.jobActions).toResolvedValue(
      (control, queues, workers, signals, flows) =>
        new JobActions(control, queues, workers, signals, flows),
      [
        tokens.jobControlPort,
        tokens.queuePort,
        tokens.workerStorePort,
        tokens.replicaSignalsPort,
        tokens.flowPort,
      ],
    );
    bind(tokens.jobWaits).toResolvedValue(
      (queues, endings, clock) => new JobWaits(queues, endings, clock),
      [tokens.queuePort, tokens.jobEndingsPort, tokens.clockPort],
    );
    bind(tokens.jobResults).toResolvedValue(
      (queues, waits, clock) => new JobResults(queues, waits, clock),
      [tokens.queuePort, tokens.jobWaits, tokens.clockPort],
    );
    bind(tokens.awaitedAdds).toResolvedValue(
      (jobs, waits, clock) => new AwaitedAdds(jobs, waits, clock),
      [tokens.jobs, tokens.jobWaits, tokens.clockPort],
    );
    bind(tokens.jobSearch).toResolvedValue(
      (scan, queues, clock) => new JobSearch(scan, queues, clock),
      [tokens.jobScanPort, tokens.queuePort, tokens.clockPort],
    );
    bind(tokens.bulkRepairs).toResolvedValue(
      (scan, control, workers, signals, clock) =>
        new BulkRepairs(scan, control, workers, signals, clock),
      [
        tokens.jobScanPort,
        tokens.jobControlPort,
        tokens.workerStorePort,
        tokens.replicaSignalsPort,
        tokens.clockPort,
      ],
    );
    bind(tokens.failures).toResolvedValue(
      (scan, queues) => new Failures(scan, queues),
      [tokens.jobScanPort, tokens.queuePort],
    );
    bind(tokens.queues).toResolvedValue(
      (control, directory, store, workers, signals, policies, clock) =>
        new Queues(control, directory, store, workers, signals, policies, clock),
      [
        tokens.queueControlPort,
        tokens.queueDirectoryPort,
        tokens.workerStorePort,
        tokens.workers,
        tokens.replicaSignalsPort,
        tokens.policies,
        tokens.clockPort,
      ],
    );
    bind(tokens.tickets).toResolvedValue(
      (store, jobTokens, clock) => new Tickets(store, jobTokens, clock),
      [tokens.ticketStorePort, tokens.tokenPort, tokens.clockPort],
    );
    bind(tokens.events).toResolvedValue(
      (events, clock) => new Events(events, clock),
      [tokens.eventPort, tokens.clockPort],
    );
    bind(tokens.schedulers).toResolvedValue(
      (store, queues, calendar, directory, workers, policies, clock) =>
        new Schedulers(store, queues, calendar, directory, workers, policies, clock),
      [
        tokens.schedulerPort,
        tokens.queuePort,
        tokens.calendarPort,
        tokens.queueDirectoryPort,
        tokens.workerStorePort,
        tokens.policies,
        tokens.clockPort,
      ],
    );
    bind(tokens.policies).toResolvedValue(
      (store, signals, clock, logger) => new Policies(store, signals, clock, logger),
      [tokens.policyStorePort, tokens.replicaSignalsPort, tokens.clockPort, tokens.loggerPort],
    );
    bind(tokens.workers).toResolvedValue(
      (store, signals, fleet, breakers, jobTokens, clock) => {
        const shape = workerShape(queueName(nameLimits));
        return new Workers(
          store,
          signals,
          fleet,
          breakers,
          jobTokens,
          new RandomSecrets(),
          clock,
          shape,
        );
      },
      [
        tokens.workerStorePort,
        tokens.replicaSignalsPort,
        tokens.fleet,
        tokens.breakerPort,
        tokens.tokenPort,
        tokens.clockPort,
      ],
    );
    bind(tokens.workerHealth).toResolvedValue(
      (store, breakers, directory, figures, recorder, clock) =>
        new WorkerHealthReader(store, breakers, directory, figures, recorder, clock),
      [
        tokens.workerStorePort,
        tokens.breakerPort,
        tokens.queueDirectoryPort,
        tokens.callFiguresPort,
        tokens.callRecorder,
        tokens.clockPort,
      ],
    );
    bind(tokens.fleet).toResolvedValue(
      (store, signals, sweep, attempts, jobTokens, webhook, observer, clock, logger) =>
        new Fleet(store, signals, sweep, {
          attempts,
          tokens: jobTokens,
          webhook,
          clock,
          logger,
          observer,
          lockDuration,
          renewalInterval: renewalInterval(lockDuration, stalledInterval),
        }),
      [
        tokens.workerStorePort,
        tokens.replicaSignalsPort,
        tokens.stalledSweep,
        tokens.attemptPort,
        tokens.tokenPort,
        tokens.webhookPort,
        tokens.attemptObserver,
        tokens.clockPort,
        tokens.loggerPort,
      ],
    );
    bind(tokens.attemptObserver).toResolvedValue(
      (recorder, logger, clock) => new AttemptObservers(new AttemptLog(logger, clock), recorder),
      [tokens.callRecorder, tokens.loggerPort, tokens.clockPort],
    );
    bind(tokens.callRecorder).toResolvedValue(
      (figures, jobTokens, clock, logger) =>
        new CallRecorder(figures, jobTokens.draw(), clock, logger),
      [tokens.callFiguresPort, tokens.tokenPort, tokens.clockPort, tokens.loggerPort],
    );
    bind(tokens.expirySweep).toResolvedValue(
      (expiry, clock, logger) => new ExpirySweep(expiry, clock, logger),
      [tokens.expiryPort, tokens.clockPort, tokens.loggerPort],
    );
    bind(tokens.overdueSweep).toResolvedValue(
      (attempts, workers, observer, clock, logger) =>
        new OverdueSweep({ attempts, workers, observer, clock, logger }, stalledInterval),
      [
        tokens.attemptPort,
        tokens.fleet,
        tokens.attemptObserver,
        tokens.clockPort,
        tokens.loggerPort,
      ],
    );
    bind(tokens.stalledSweep).toResolvedValue(
      (attempts, clock, logger, observer) =>
        new StalledSweep(attempts, clock, logger, observer, stalledInterval),
      [tokens.attemptPort, tokens.clockPort, tokens.loggerPort, tokens.attemptObserver],
    );
    bind(tokens.health).toResolvedValue(
      (store, fleet) => new Health(store, fleet),
      [tokens.storeHealthPort, tokens.fleet],
    );
    bind(tokens.application).toDynamicValue((context) => ({
      jobs: context.get(tokens.jobs),
      awaitedAdds: context.get(tokens.awaitedAdds),
      attemptReports: context.get(tokens.attemptReports),
      jobClaims: context.get(tokens.jobClaims),
      jobActions: context.get(tokens.jobActions),
      flows: context.get(tokens.flows),
      jobResults: context.get(tokens.jobResults),
      jobSearch: context.get(tokens.jobSearch),
      failures: context.get(tokens.failures),
      bulkRepairs: context.get(tokens.bulkRepairs),
      queues: context.get(tokens.queues),
      events: context.get(tokens.events),
      tickets: context.get(tokens.tickets),
      workers: context.get(tokens.workers),
      workerHealth: context.get(tokens.workerHealth),
      policies: context.get(tokens.policies),
      schedulers: context.get(tokens.schedulers),
      health: context.get(tokens.health),
      metrics: context.get(tokens.metricsPort),
    }));
  });
}
