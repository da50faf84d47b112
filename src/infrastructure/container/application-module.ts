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
      [tokens.queues, tokens.attempts, tokens.policies],
    );
    bind(tokens.attemptReports).toResolvedValue(
      (attempts, queues, workers, observer, clock) =>
        new AttemptReports(attempts, queues, workers, observer, clock),
      [tokens.attempts, tokens.queues, tokens.fleet, tokens.attemptObserver, tokens.clock],
    );
    bind(tokens.jobClaims).toResolvedValue(
      (attempts, workers, jobTokens, observer, clock, logger, signals) =>
        new JobClaims(
          { attempts, workers, tokens: jobTokens, observer, clock, logger },
          signals,
          lockDuration,
        ),
      [
        tokens.attempts,
        tokens.fleet,
        tokens.jobTokens,
        tokens.attemptObserver,
        tokens.clock,
        tokens.logger,
        tokens.replicaSignals,
      ],
    );
    bind(tokens.flows).toResolvedValue(
      (flows, policies, ids) =>
        new Flows(flows, policies, ids, flowJobShape(queueName(nameLimits))),
      [tokens.flowStore, tokens.policies, tokens.jobTokens],
    );
    bind(tokens.jobActions).toResolvedValue(
      (control, queues, workers, signals, flows) =>
        new JobActions(control, queues, workers, signals, flows),
      [
        tokens.jobControl,
        tokens.queues,
        tokens.workerStore,
        tokens.replicaSignals,
        tokens.flowStore,
      ],
    );
    bind(tokens.jobWaits).toResolvedValue(
      (queues, endings, clock) => new JobWaits(queues, endings, clock),
      [tokens.queues, tokens.jobEndings, tokens.clock],
    );
    bind(tokens.jobResults).toResolvedValue(
      (queues, waits, clock) => new JobResults(queues, waits, clock),
      [tokens.queues, tokens.jobWaits, tokens.clock],
    );
    bind(tokens.awaitedAdds).toResolvedValue(
      (jobs, waits, clock) => new AwaitedAdds(jobs, waits, clock),
      [tokens.jobs, tokens.jobWaits, tokens.clock],
    );
    bind(tokens.jobSearch).toResolvedValue(
      (scan, queues, clock) => new JobSearch(scan, queues, clock),
      [tokens.jobScan, tokens.queues, tokens.clock],
    );
    bind(tokens.bulkRepairs).toResolvedValue(
      (scan, control, workers, signals, clock) =>
        new BulkRepairs(scan, control, workers, signals, clock),
      [tokens.jobScan, tokens.jobControl, tokens.workerStore, tokens.replicaSignals, tokens.clock],
    );
    bind(tokens.failures).toResolvedValue(
      (scan, queues) => new Failures(scan, queues),
      [tokens.jobScan, tokens.queues],
    );
    bind(tokens.queuesUseCase).toResolvedValue(
      (control, directory, store, workers, signals, policies, clock) =>
        new Queues(control, directory, store, workers, signals, policies, clock),
      [
        tokens.queueControl,
        tokens.queueDirectory,
        tokens.workerStore,
        tokens.workers,
        tokens.replicaSignals,
        tokens.policies,
        tokens.clock,
      ],
    );
    bind(tokens.tickets).toResolvedValue(
      (store, jobTokens, clock) => new Tickets(store, jobTokens, clock),
      [tokens.ticketStore, tokens.jobTokens, tokens.clock],
    );
    bind(tokens.eventsUseCase).toResolvedValue(
      (events, clock) => new Events(events, clock),
      [tokens.events, tokens.clock],
    );
    bind(tokens.schedulers).toResolvedValue(
      (store, queues, calendar, directory, workers, policies, clock) =>
        new Schedulers(store, queues, calendar, directory, workers, policies, clock),
      [
        tokens.schedulerStore,
        tokens.queues,
        tokens.calendar,
        tokens.queueDirectory,
        tokens.workerStore,
        tokens.policies,
        tokens.clock,
      ],
    );
    bind(tokens.policies).toResolvedValue(
      (store, signals, clock, logger) => new Policies(store, signals, clock, logger),
      [tokens.policyStore, tokens.replicaSignals, tokens.clock, tokens.logger],
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
        tokens.workerStore,
        tokens.replicaSignals,
        tokens.fleet,
        tokens.breakers,
        tokens.jobTokens,
        tokens.clock,
      ],
    );
    bind(tokens.workerHealth).toResolvedValue(
      (store, breakers, directory, figures, recorder, clock) =>
        new WorkerHealthReader(store, breakers, directory, figures, recorder, clock),
      [
        tokens.workerStore,
        tokens.breakers,
        tokens.queueDirectory,
        tokens.callFigures,
        tokens.callRecorder,
        tokens.clock,
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
        tokens.workerStore,
        tokens.replicaSignals,
        tokens.stalledSweep,
        tokens.attempts,
        tokens.jobTokens,
        tokens.webhook,
        tokens.attemptObserver,
        tokens.clock,
        tokens.logger,
      ],
    );
    bind(tokens.attemptObserver).toResolvedValue(
      (recorder, logger, clock) => new AttemptObservers(new AttemptLog(logger, clock), recorder),
      [tokens.callRecorder, tokens.logger, tokens.clock],
    );
    bind(tokens.callRecorder).toResolvedValue(
      (figures, jobTokens, clock, logger) =>
        new CallRecorder(figures, jobTokens.draw(), clock, logger),
      [tokens.callFigures, tokens.jobTokens, tokens.clock, tokens.logger],
    );
    bind(tokens.expirySweep).toResolvedValue(
      (expiry, clock, logger) => new ExpirySweep(expiry, clock, logger),
      [tokens.expiry, tokens.clock, tokens.logger],
    );
    bind(tokens.overdueSweep).toResolvedValue(
      (attempts, workers, observer, clock, logger) =>
        new OverdueSweep({ attempts, workers, observer, clock, logger }, stalledInterval),
      [tokens.attempts, tokens.fleet, tokens.attemptObserver, tokens.clock, tokens.logger],
    );
    bind(tokens.stalledSweep).toResolvedValue(
      (attempts, clock, logger, observer) =>
        new StalledSweep(attempts, clock, logger, observer, stalledInterval),
      [tokens.attempts, tokens.clock, tokens.logger, tokens.attemptObserver],
    );
    bind(tokens.health).toResolvedValue(
      (store, fleet) => new Health(store, fleet),
      [tokens.storeHealth, tokens.fleet],
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
      queues: context.get(tokens.queuesUseCase),
      events: context.get(tokens.eventsUseCase),
      tickets: context.get(tokens.tickets),
      workers: context.get(tokens.workers),
      workerHealth: context.get(tokens.workerHealth),
      policies: context.get(tokens.policies),
      schedulers: context.get(tokens.schedulers),
      health: context.get(tokens.health),
      metrics: context.get(tokens.metrics),
    }));
  });
}
