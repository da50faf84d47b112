import type { Application } from '../../application/application.ts';
import { Health } from '../../application/health/health.ts';
import { FailingHooks } from '../../application/hooks/failing-hooks.ts';
import { Limits } from '../../application/limits/limits.ts';
import { SettingSets } from '../../application/policies/setting-sets.ts';
import type { AttemptObserver } from '../../application/ports/attempt-observer.ts';
import type { QueueDemands } from '../../application/queues/queue-demands.ts';
import { Rounds, type RepeatedWork } from '../../application/running/rounds.ts';
import type { Startable } from '../../application/running/startable.ts';
import { EncryptionKeys } from '../../application/secrets/encryption-keys.ts';
import { Secrets } from '../../application/secrets/secrets.ts';
import { DataWatch } from '../../application/system/data-watch.ts';
import { ReplicaReports } from '../../application/system/replica-reports.ts';
import { StoreBackups } from '../../application/system/store-backups.ts';
import { System } from '../../application/system/system.ts';
import type { Config } from '../config/config.ts';
import type { Ports } from '../container/tokens.ts';
import { instanceName } from '../instance-name.ts';
import { version } from '../version.ts';
import { composeAccess } from './compose-access.ts';
import { composeHooks } from './compose-hooks.ts';
import { composeJobs } from './compose-jobs.ts';
import { composeMessages } from './compose-messages.ts';
import { composePushCalls, composePushes } from './compose-pushes.ts';
import { composeQueues } from './compose-queues.ts';
import { composeWorkers } from './compose-workers.ts';
import { sharedParts, type SharedParts } from './shared-parts.ts';

export interface Composition {
  /** The application without its metrics, whose adapter reads the other parts. */
  readonly useCases: Omit<Application, 'metrics'>;
  /** In the order of the start. */
  readonly startables: readonly Startable[];
  readonly shared: SharedParts;
  readonly demands: QueueDemands;
}

/**
 * Composes the use cases, and the parts that run beside them, by their constructors.
 *
 * @param observers further observers of attempts, such as metrics.
 */
export function composeApplication(
  ports: Ports,
  observers: readonly AttemptObserver[],
  config: Config,
): Composition {
  const shared = sharedParts(ports, observers, config);
  const { cipher, clock, deliveries, hooks, keptSecrets, logger, names, system, view } = shared;
  const { policies } = shared;
  const access = composeAccess(shared, config);
  const jobs = composeJobs(shared, config);
  const calls = composePushCalls(shared, jobs.useCases.jobs, config);
  const fleet = composeWorkers(shared, config, calls.pushAttempts.make);
  const messages = composeMessages(shared, jobs.useCases, fleet.sweep);
  const queues = composeQueues(shared, fleet.useCases.workers, access.requestLimits);
  const used = { ...jobs.useCases, ...fleet.useCases, ...queues.useCases, ...messages.useCases };
  const pushes = composePushes(shared, used, calls);
  const hooking = composeHooks(shared, config);
  const identity = { instance: instanceName(), version: version(), startedAt: Date.now() };
  const health = new Health(ports.storeHealth, fleet.fleet);
  const secrets = new Secrets(keptSecrets, cipher);
  const failing = new FailingHooks(hooks, deliveries, clock);
  const mostQueues = config.sight.queues;
  const reports = new ReplicaReports({ ...shared, identity, health, fleet: fleet.fleet });
  const rounds = (...works: readonly RepeatedWork[]): readonly Startable[] =>
    works.map((work) => new Rounds(work, clock, logger));
  return {
    useCases: {
      ...access,
      ...fleet.useCases,
      ...jobs.useCases,
      ...messages.useCases,
      ...pushes,
      ...queues.useCases,
      ...hooking.useCases,
      policies,
      limits: new Limits(shared),
      settingSets: new SettingSets(ports.settingSets),
      secrets,
      health,
      system: new System(identity, system, names, secrets, failing, clock, mostQueues),
      storeBackups: new StoreBackups(ports.storeBackup),
    },
    startables: [
      new EncryptionKeys({ ...shared, checks: ports.keyChecks, kept: keptSecrets }),
      policies,
      hooks,
      shared.topicsInForce,
      ...rounds(access.issuedTokens, access.sessions, shared.callRecorder, shared.figureRecorder),
      ...rounds(queues.sampler, queues.demandView, reports),
      ...rounds(new DataWatch(system, view, clock, logger)),
      fleet.sweep,
      jobs.useCases.erasures,
      ...rounds(jobs.overdue, jobs.expiry, jobs.ended, jobs.payloads),
      ...rounds(queues.native, hooking.conditions),
      ...(config.sqs === undefined ? [] : [messages.mover, ...rounds(messages.retention)]),
      // Stops after the fleet, whose last jobs may have something to say.
      hooking.deliveryFleet,
      fleet.fleet,
    ],
    shared,
    demands: queues.demands,
  };
}
