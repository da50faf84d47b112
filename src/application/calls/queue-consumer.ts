import type { Worker } from '../../domain/workers/worker.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { SignalScope } from '../ports/replica-signals-port.ts';
import { fillSlots } from '../running/slot-loop.ts';
import type { ProcessingDependencies } from './attempt-processor.ts';
import { CallSlots } from './call-slots.ts';
import { RunningAttempts, type RunningDependencies } from './running-attempts.ts';
import { WorkerClaims, type ClaimingDependencies } from './worker-claims.ts';

export interface ConsumerDependencies
  extends RunningDependencies, ClaimingDependencies, ProcessingDependencies {}

/**
 * Processes one queue on this replica: claims jobs as far as the worker's settings allow, calls its endpoint and
 * records how each attempt ended. It survives outages of the store of any length.
 */
export class QueueConsumer {
  readonly #observer: AttemptObserver;
  readonly #claims: WorkerClaims;
  readonly #running: RunningAttempts;
  readonly #slots: CallSlots;
  #work: Promise<void> | undefined;

  constructor(worker: Worker, dependencies: ConsumerDependencies) {
    this.#observer = dependencies.observer;
    this.#claims = new WorkerClaims(worker, dependencies);
    this.#running = new RunningAttempts(worker.queue, dependencies);
    this.#slots = new CallSlots({ claims: this.#claims, running: this.#running }, dependencies);
  }

  get worker(): Worker {
    return this.#claims.worker;
  }

  start(): void {
    this.#work ??= fillSlots(this.#slots);
  }

  /** How many calls of the queue are running on this replica. */
  get runningCalls(): number {
    return this.#running.size;
  }

  /** Sets the settings for the next jobs; running calls finish under the settings that they started with. */
  replace(worker: Worker): void {
    this.#claims.replace(worker);
  }

  /** Asks the store for jobs now, even if the store has just reported that it has none. */
  askAgain(): void {
    this.#claims.askAgain();
  }

  /** Takes no more jobs. Resolves when the last running attempt has ended and is recorded. */
  async stop(): Promise<void> {
    this.#claims.stop();
    await this.#work;
    await this.#slots.empty();
    this.#running.end();
    this.#observer.observe({ kind: 'left', queue: this.worker.queue });
  }

  /**
   * Ends the running calls and puts their jobs back at the head of the queue, attempts unchanged. Must be called after
   * {@link stop}, which then resolves.
   *
   * @returns how many calls it ended. The stalled check finds the jobs that cannot be put back.
   */
  async giveUp(): Promise<number> {
    const ended = await this.#running.giveUp();
    this.#slots.givenUp();
    return ended;
  }

  /** Ends the calls of cancelled jobs, within the scope of the signal. */
  endCancelled(scope: SignalScope): Promise<void> {
    return this.#running.endCancelled(scope);
  }
}
