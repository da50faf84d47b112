import { AttemptLog } from '../../application/attempts/attempt-log.ts';
import { AttemptObservers } from '../../application/attempts/attempt-observers.ts';
import { CallRecorder } from '../../application/calls/call-recorder.ts';
import {
  callbackSealing,
  destinationSealing,
  policySealing,
  subscriptionSealing,
} from '../../application/callbacks/callback-sealing.ts';
import { Callbacks } from '../../application/callbacks/callbacks.ts';
import { TopicsInForce } from '../../application/topics/topics-in-force.ts';
import { CalledOptions } from '../../application/destinations/called-options.ts';
import { Destinations } from '../../application/destinations/destinations.ts';
import { UnreachableOrigins } from '../../application/destinations/unreachable-origins.ts';
import { DeliveryQueues } from '../../application/deliveries/delivery-queues.ts';
import { FigureRecorder } from '../../application/figures/figure-recorder.ts';
import { StoredHooksInForce } from '../../application/hooks/hooks-in-force.ts';
import { Policies } from '../../application/policies/policies.ts';
import type { AttemptObserver } from '../../application/ports/attempt-observer.ts';
import { BlockedQueues } from '../../application/queues/blocked-queues.ts';
import { QueueNames } from '../../application/queues/queue-names.ts';
import { QueueView } from '../../application/queues/queue-view.ts';
import { SECRETS_OF_HOOKS } from '../../application/kept/hooks.ts';
import { secretsOfWorkers } from '../../application/kept/workers.ts';
import { SECRETS_OF_PUSH_KEYS } from '../../application/kept/push-keys.ts';
import { keptSecrets } from '../../application/secrets/kept-secrets.ts';
import { suspensionReader } from '../../application/steps/suspensions.ts';
import { Sealing } from '../../application/secrets/sealing.ts';
import { SealedCollection } from '../../application/secrets/sealed-collection.ts';
import { KnownWorkers } from '../../application/kept/known-workers.ts';
import { queueName } from '../../domain/queues/queue-name.ts';
import type { Config } from '../config/config.ts';
import type { Ports } from '../container/tokens.ts';
import { instanceName } from '../instance-name.ts';

export type SharedParts = ReturnType<typeof sharedParts>;

/**
 * The ports and the parts that several areas share, under the names of the fields of dependencies. `workers`, `hooks` and
 * `policies` are those in force on this replica; the stored ones have names and types of their own.
 */
export function sharedParts(
  ports: Ports,
  observers: readonly AttemptObserver[],
  { queues, sight }: Config,
) {
  const { callFigures, cipher, clock, figures, logger, signals, tokens } = ports;
  const name = queueName(queues.nameLimits);
  const ofPolicies = policySealing(cipher);
  const ofWorkers = secretsOfWorkers(clock.now());
  const workerStore = new SealedCollection(ports.workers, ofWorkers, cipher);
  const hookStore = new SealedCollection(ports.hooks, SECRETS_OF_HOOKS, cipher);
  const kept = { store: ports.policies, sealing: ofPolicies };
  const policies = new Policies({ ...ports, ...kept, queueName: name });
  const workers = new KnownWorkers(workerStore, logger);
  const hooks = new StoredHooksInForce(hookStore, signals, clock, logger);
  ports.hooksOfQueues.follow(hooks);
  const callRecorder = new CallRecorder(callFigures, tokens.draw(), clock, logger);
  const figureRecorder = new FigureRecorder(figures, tokens.draw(), instanceName(), clock, logger);
  const log = new AttemptLog(logger, clock);
  const callbacks = new Callbacks({
    policies,
    sealing: callbackSealing(cipher),
    ofPolicies,
    queueName: name,
  });
  const destinations = new Destinations(
    policies,
    destinationSealing(cipher),
    new UnreachableOrigins(clock),
  );
  const calledOptions = new CalledOptions(callbacks, destinations);
  const names = new QueueNames(ports.queueDirectory, workerStore);
  const shared = {
    ...ports,
    parts: ports.jobParts,
    control: ports.jobControl,
    scan: ports.jobScan,
    directory: ports.queueDirectory,
    standings: ports.queueStandings,
    holders: ports.attempts,
    sweeps: ports.attempts,
    policies,
    workers,
    workerStore,
    hooks,
    hookStore,
    storedHooks: ports.hooks,
    queueName: name,
    names,
    view: new QueueView(names, ports.queueDirectory, workers, policies, clock, sight.queues),
    blocked: new BlockedQueues({ standings: ports.queueStandings, limitUse: ports.limitUse }),
    callbacks,
    destinations,
    calledOptions,
    suspensions: suspensionReader({ policies, workers, calledOptions, tokens, queueName: name }),
    callRecorder,
    figureRecorder,
    observer: new AttemptObservers(log, callRecorder, figureRecorder, ...observers),
    topicsInForce: new TopicsInForce(ports.subscriptions, signals, clock),
    keptSecrets: [
      workerStore.secrets,
      hookStore.secrets,
      keptSecrets(ports.policies, ofPolicies),
      keptSecrets(ports.pushKeys, new Sealing(cipher, SECRETS_OF_PUSH_KEYS)),
      keptSecrets(ports.subscriptions, subscriptionSealing(cipher)),
    ],
  };
  return { ...shared, deliveries: new DeliveryQueues(shared) };
}
