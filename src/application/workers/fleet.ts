import { endpointOrigin } from '../../domain/calls/endpoint.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { disabledWorker } from '../../domain/workers/worker-disabling.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { FleetState } from '../health/health.ts';
import type { ReplicaSignalsPort, SignalScope } from '../ports/replica-signals-port.ts';
import type { Startable } from '../running/startable.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import { DEFAULT_MAX_STALLED_COUNT } from '../../domain/workers/worker-options.ts';
import { CallCapacity } from '../calls/call-capacity.ts';
import { QueueConsumer, type ConsumerDependencies } from '../calls/queue-consumer.ts';
import type { StalledSweep } from '../maintenance/stalled-sweep.ts';
import type { KnownWorkers, WorkerChanges } from '../kept/known-workers.ts';
import { WorkerReading } from './worker-reading.ts';

/**
 * The workers that run on this replica. It starts, replaces and stops consumers until they match the stored record, as
 * far as that was read (decisions, "Workers and replicas").
 */
export class Fleet implements Startable, FleetState {
  readonly name = 'workers';
  readonly #store: Pick<KeptWorkers, 'change'>;
  readonly #signals: ReplicaSignalsPort;
  readonly #sweep: StalledSweep;
  readonly #dependencies: ConsumerDependencies;
  readonly #reading: WorkerReading;
  readonly #consumers = new Map<QueueName, QueueConsumer>();
  /**
   * Consumers that take no more jobs while their last calls are still running. A new worker of the queue replaces them,
   * and is stopped together with them.
   */
  readonly #leaving = new Map<QueueName, Map<QueueConsumer, Promise<void>>>();
  #stopListening: readonly (() => void)[] = [];
  #isEnding = false;

  constructor(
    store: Pick<KeptWorkers, 'change'>,
    known: KnownWorkers,
    signals: ReplicaSignalsPort,
    sweep: StalledSweep,
    dependencies: Omit<ConsumerDependencies, 'capacity' | 'disable' | 'notifyClosed'>,
  ) {
    const { clock, logger } = dependencies;
    this.#store = store;
    this.#signals = signals;
    this.#sweep = sweep;
    this.#reading = new WorkerReading({ known, signals, clock, logger }, (changes) => {
      this.#apply(changes);
    });
    this.#dependencies = {
      ...dependencies,
      capacity: new CallCapacity(clock, logger),
      disable: (worker, reason) => this.#disable(worker, reason),
      notifyClosed: (queue) => {
        this.#signals.send('opened', { queue });
      },
    };
  }

  get reconciled(): boolean {
    return this.#reading.isCurrent;
  }

  /** How many calls are running on this replica. */
  get runningCalls(): number {
    let running = 0;
    for (const consumer of this.#consumers.values()) running += consumer.runningCalls;
    for (const consumer of this.#leavingConsumers) running += consumer.runningCalls;
    return running;
  }

  /** Does not wait for the store: a replica that starts while the store is away recovers by itself. */
  start(): Promise<void> {
    if (this.#stopListening.length > 0) return Promise.resolve();
    this.#reading.start();
    this.#stopListening = [
      this.#signals.listen('cancelled', (scope) => {
        this.#endCancelled(scope);
      }),
      this.#signals.listen('opened', ({ queue }) => {
        this.#askAgain(queue);
      }),
    ];
    return Promise.resolve();
  }

  /** Takes no more jobs and starts no more workers; running calls continue. */
  drain(): Promise<void> {
    this.#isEnding = true;
    this.#reading.end();
    for (const queue of [...this.#consumers.keys()]) this.#remove(queue);
    return Promise.resolve();
  }

  /**
   * @throws Error when calls were still running at the deadline. Their jobs were put back if the store was available.
   */
  async stop(deadline: AbortSignal): Promise<void> {
    await this.drain();
    await this.#reading.ended();
    let givenUp: Promise<readonly PromiseSettledResult<number>[]> = Promise.resolve([]);
    const giveUp = (): void => {
      givenUp = Promise.allSettled(this.#leavingConsumers.map((consumer) => consumer.giveUp()));
    };
    if (deadline.aborted) giveUp();
    else deadline.addEventListener('abort', giveUp, { once: true });
    await Promise.all([...this.#leaving.values()].flatMap((left) => [...left.values()]));
    deadline.removeEventListener('abort', giveUp);
    for (const stop of this.#stopListening) stop();
    const ended = await givenUp;
    if (ended.some((calls) => calls.status === 'rejected' || calls.value > 0)) {
      throw new Error('Calls still ran at the deadline and were given up');
    }
  }

  /** Resolves when this replica has applied the current record of a queue, or failed to. */
  reconcile(queue: QueueName): Promise<void> {
    return this.#reading.read(queue);
  }

  #apply({ changed, removed }: WorkerChanges): void {
    if (this.#isEnding) return;
    for (const worker of changed) this.#run(worker);
    for (const queue of removed) this.#remove(queue);
  }

  #run(worker: Worker): void {
    const { logger } = this.#dependencies;
    const { queue } = worker;
    this.#sweep.watch(queue, worker.opts?.maxStalledCount ?? DEFAULT_MAX_STALLED_COUNT);
    const running = this.#consumers.get(queue);
    if (running === undefined) {
      const consumer = new QueueConsumer(worker, this.#dependencies);
      const message = this.#leaving.has(queue) ? 'Worker replaced' : 'Worker started';
      this.#consumers.set(queue, consumer);
      consumer.start();
      logger.info(message, { queue, ...origin(worker) });
      this.#logDisabled(worker, undefined);
    } else if (!isSame(running.worker, worker)) {
      const before = running.worker;
      running.replace(worker);
      if (!isSame(settingsOf(before), settingsOf(worker))) {
        logger.info('Worker replaced', { queue, ...origin(worker) });
      }
      this.#logDisabled(worker, before);
    }
  }

  #logDisabled({ queue, disabled }: Worker, before: Worker | undefined): void {
    const { logger } = this.#dependencies;
    if (disabled !== undefined && disabled.since !== before?.disabled?.since) {
      logger.info('Worker disabled', { queue, reason: disabled.reason });
    } else if (disabled === undefined && before?.disabled !== undefined) {
      logger.info('Worker enabled', { queue });
    }
  }

  async #disable({ queue, registration }: Worker, reason: string): Promise<void> {
    const disabled = { since: this.#dependencies.clock.now(), reason };
    await this.#store.change(queue, (stored) =>
      stored.registration === registration ? disabledWorker(stored, { disabled }) : undefined,
    );
    this.#signals.send('workers', { queue });
    await this.reconcile(queue);
  }

  /** Includes consumers that are stopping, since their last calls may take long. */
  #endCancelled(scope: SignalScope): void {
    for (const consumer of [...this.#consumers.values(), ...this.#leavingConsumers]) {
      if (scope.queue === undefined || scope.queue === consumer.worker.queue) {
        void consumer.endCancelled(scope);
      }
    }
  }

  #askAgain(queue: QueueName | undefined): void {
    const concerned = queue === undefined ? this.#consumers.values() : [this.#consumers.get(queue)];
    for (const consumer of concerned) consumer?.askAgain();
  }

  #remove(queue: QueueName): void {
    const consumer = this.#consumers.get(queue);
    if (consumer === undefined) return;
    this.#consumers.delete(queue);
    this.#sweep.unwatch(queue);
    const leaving = this.#leaving.get(queue) ?? new Map<QueueConsumer, Promise<void>>();
    const left = consumer.stop().then(() => {
      leaving.delete(consumer);
      if (leaving.size > 0) return;
      this.#leaving.delete(queue);
      if (this.#consumers.has(queue)) return;
      this.#dependencies.logger.info('Worker stopped', { queue });
    });
    this.#leaving.set(queue, leaving.set(consumer, left));
  }

  get #leavingConsumers(): readonly QueueConsumer[] {
    return [...this.#leaving.values()].flatMap((leaving) => [...leaving.keys()]);
  }
}

function isSame(running: Worker, stored: Worker): boolean {
  return running === stored || JSON.stringify(running) === JSON.stringify(stored);
}

function settingsOf({ queue, endpoint, opts }: Worker): Worker {
  return { queue, endpoint, ...(opts && { opts }) };
}

/** The origin of the endpoint alone: its path and query may hold secrets. */
function origin({ endpoint }: Worker): { endpoint?: string } {
  return endpoint.url === null ? {} : { endpoint: endpointOrigin(endpoint) };
}
