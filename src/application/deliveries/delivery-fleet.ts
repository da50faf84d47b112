import { hookEndpoint } from '../../domain/hooks/hook-endpoint.ts';
import type { Hook } from '../../domain/hooks/hook.ts';
import { CALLBACK_QUEUE, queueOfHook } from '../../domain/queues/own-queue.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import { CallCapacity } from '../calls/call-capacity.ts';
import { QueueConsumer, type ConsumerDependencies } from '../calls/queue-consumer.ts';
import type { StalledSweep } from '../maintenance/stalled-sweep.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { Startable } from '../running/startable.ts';
import { runDelivery } from './delivery-attempt.ts';
import type { Sender } from './outgoing-message.ts';

/** How many messages of a hook are sent at once by each replica, and how many callbacks. */
const [OF_HOOK, OF_CALLBACKS] = [50, 200];

/** How many callbacks to one origin are sent at once, over all replicas: a receiver that hangs holds up no other. */
const OF_ORIGIN = 100;

/** A delivery is lost by no number of replicas that die as they make it. */
const MAX_STALLED_COUNT = 1_000_000;

/** No policy is about the service's own queues. */
const NO_POLICIES: PoliciesInForce = {
  areKnown: true,
  known: () => Promise.resolve(),
  of: () => undefined,
  windowOf: () => undefined,
  takesDeadLetters: () => false,
  startJobs: (request) => request(),
};

export interface DeliveryFleetDependencies {
  readonly hooks: Pick<HooksInForce, 'all'> & {
    /** Calls the function whenever the hooks may have changed. */
    follow(follower: () => void): void;
  };
  readonly ofHooks: Sender;
  readonly ofCallbacks: Sender;
  /** Checks the service's own queues alone. */
  readonly sweep: StalledSweep;
  /** Pauses a hook on all replicas, for the reason. @throws DomainError `store-unavailable`. */
  readonly pause: (hook: string, reason: string) => Promise<void>;
  readonly consumers: Omit<
    ConsumerDependencies,
    'capacity' | 'disable' | 'notifyClosed' | 'policies' | 'tracing' | 'makeAttempt'
  >;
}

/** Sends on this replica what hooks and callbacks have to say (reach contract, sections 17 and 18). */
export class DeliveryFleet implements Startable {
  readonly name = 'deliveries';
  readonly #hooks: DeliveryFleetDependencies['hooks'];
  readonly #ofHooks: Sender;
  readonly #ofCallbacks: Sender;
  readonly #sweep: StalledSweep;
  readonly #pause: DeliveryFleetDependencies['pause'];
  readonly #dependencies: Omit<ConsumerDependencies, 'makeAttempt' | 'disable'>;
  readonly #consumers = new Map<QueueName, QueueConsumer>();
  /** The hooks that these send for: one that has not changed is the same object. */
  readonly #applied = new Map<QueueName, Hook>();
  readonly #leaving = new Map<QueueConsumer, Promise<void>>();
  #isStarted = false;
  #isEnding = false;

  constructor(dependencies: DeliveryFleetDependencies) {
    const { consumers } = dependencies;
    this.#hooks = dependencies.hooks;
    this.#ofHooks = dependencies.ofHooks;
    this.#ofCallbacks = dependencies.ofCallbacks;
    this.#sweep = dependencies.sweep;
    this.#pause = dependencies.pause;
    this.#dependencies = {
      ...consumers,
      policies: NO_POLICIES,
      // Without their own, messages would have to wait until the calls of workers leave some room.
      capacity: new CallCapacity(consumers.clock, consumers.logger),
      notifyClosed: () => undefined,
    };
  }

  /** Does not wait for the store: a replica that starts while the store is away recovers by itself. */
  async start(): Promise<void> {
    if (this.#isStarted) return;
    this.#isStarted = true;
    await this.#sweep.start();
    this.#run(callbackWorker(), this.#ofCallbacks, () => Promise.resolve());
    this.#hooks.follow(() => {
      this.#apply();
    });
    this.#apply();
  }

  /** Begins no more messages; those that are being sent go on. */
  drain(): Promise<void> {
    this.#isEnding = true;
    for (const queue of [...this.#consumers.keys()]) this.#remove(queue);
    return Promise.resolve();
  }

  /** Messages that are still being sent at the deadline are sent again, by any replica. */
  async stop(deadline: AbortSignal): Promise<void> {
    await this.drain();
    const giveUp = (): void => {
      for (const consumer of this.#leaving.keys()) void consumer.giveUp().catch(() => 0);
    };
    if (deadline.aborted) giveUp();
    else deadline.addEventListener('abort', giveUp, { once: true });
    await Promise.all(this.#leaving.values());
    deadline.removeEventListener('abort', giveUp);
    await this.#sweep.stop();
  }

  #apply(): void {
    if (this.#isEnding) return;
    const hooks = this.#hooks.all();
    const known = new Set<QueueName>([CALLBACK_QUEUE]);
    for (const hook of hooks) {
      const queue = queueOfHook(hook.id);
      known.add(queue);
      if (this.#applied.get(queue) === hook) continue;
      this.#applied.set(queue, hook);
      this.#run(hookWorker(hook), this.#ofHooks, (reason) => this.#pause(hook.id, reason));
    }
    for (const queue of [...this.#consumers.keys()]) if (!known.has(queue)) this.#remove(queue);
  }

  #run(worker: Worker, sender: Sender, pause: (reason: string) => Promise<void>): void {
    const { queue } = worker;
    const running = this.#consumers.get(queue);
    if (running !== undefined) {
      if (JSON.stringify(running.worker) !== JSON.stringify(worker)) running.replace(worker);
      return;
    }
    const consumer = new QueueConsumer(worker, {
      ...this.#dependencies,
      makeAttempt: (run) => runDelivery(sender, run),
      disable: (_, reason) => pause(reason),
    });
    this.#consumers.set(queue, consumer);
    this.#sweep.watch(queue, MAX_STALLED_COUNT);
    consumer.start();
  }

  #remove(queue: QueueName): void {
    const consumer = this.#consumers.get(queue);
    if (consumer === undefined) return;
    this.#consumers.delete(queue);
    this.#applied.delete(queue);
    this.#sweep.unwatch(queue);
    const left = consumer.stop().finally(() => this.#leaving.delete(consumer));
    this.#leaving.set(consumer, left);
  }
}

/** What claims the messages of a hook. Where each is sent is decided as it is sent. */
function hookWorker(hook: Hook): Worker {
  return {
    queue: queueOfHook(hook.id),
    endpoint: hookEndpoint(hook),
    opts: { concurrency: OF_HOOK },
    ...(hook.paused && { disabled: { since: hook.createdAt, reason: null } }),
  };
}

function callbackWorker(): Worker {
  return {
    queue: CALLBACK_QUEUE,
    endpoint: { url: 'http://callbacks.invalid', method: 'post' },
    opts: { concurrency: OF_CALLBACKS, groups: { concurrency: OF_ORIGIN } },
  };
}
