import { isStoreUnavailable } from '../../domain/errors.ts';
import { piecesOf } from '../../domain/values/pieces.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { DEFAULT_MAX_STALLED_COUNT } from '../../domain/workers/worker-options.ts';
import { Notifier } from '../running/notifier.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { AttemptSweepPort } from '../ports/attempt-sweep-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { Startable } from '../running/startable.ts';
import { nextTurn, TURN_GROUPS } from '../running/next-turn.ts';

/** How many queues are checked concurrently. */
const CHECKS_AT_ONCE = 50;

interface SweptQueue {
  /** How often a job may stall by the worker of this replica; undefined when clients pull the jobs of the queue. */
  readonly ofWorker: number | undefined;
  /** The group of queues that it is checked together with. */
  readonly group: number;
  /** When (epoch ms) the queue is checked next. */
  readonly dueAt: number;
}

export interface StalledSweepDependencies extends Pick<
  CommonPorts,
  'clock' | 'logger' | 'observer'
> {
  readonly attempts: Pick<AttemptSweepPort, 'recoverStalled' | 'pulledQueues'>;
  readonly policies: Pick<PoliciesInForce, 'of'>;
  /** How often (ms) each queue is checked (STALLED_INTERVAL). */
  readonly interval: number;
}

/**
 * Checks queues for stalled jobs, each once per interval and again soon when jobs are suspect: those with a worker on
 * this replica, and those with pulled jobs on any replica. A single loop serves all queues.
 */
export class StalledSweep implements Startable {
  readonly name = 'stalled sweep';
  readonly #attempts: StalledSweepDependencies['attempts'];
  readonly #policies: StalledSweepDependencies['policies'];
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #observer: AttemptObserver;
  readonly #interval: number;
  readonly #queues = new Map<QueueName, SweptQueue>();
  /** When (epoch ms) the sweep next looks up which queues have pulled jobs. */
  #looksAt = -Infinity;
  readonly #changed = new Notifier();
  readonly #stopped = new AbortController();
  #sweeping: Promise<void> | undefined;

  constructor(dependencies: StalledSweepDependencies) {
    this.#attempts = dependencies.attempts;
    this.#policies = dependencies.policies;
    this.#clock = dependencies.clock;
    this.#logger = dependencies.logger;
    this.#observer = dependencies.observer;
    this.#interval = dependencies.interval;
  }

  start(): Promise<void> {
    this.#sweeping ??= this.#sweep();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#changed.notify();
    await this.#sweeping;
  }

  /**
   * Checks the queue from now on; a new one is checked at once.
   *
   * @param ofWorker how often a job may stall by the worker of this replica; undefined when clients pull the jobs.
   */
  watch(queue: QueueName, ofWorker: number | undefined): void {
    const known = this.#queues.get(queue);
    const group = known?.group ?? Math.floor(Math.random() * TURN_GROUPS);
    const dueAt = known?.dueAt ?? -Infinity;
    this.#queues.set(queue, { ofWorker, group, dueAt });
    if (known === undefined) this.#changed.notify();
  }

  unwatch(queue: QueueName): void {
    this.#queues.delete(queue);
  }

  async #sweep(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const changed = this.#changed.signal;
      const now = this.#clock.now();
      if (this.#looksAt <= now) await this.#lookForPulledQueues();
      const due = [...this.#queues].filter(([, { dueAt }]) => dueAt <= now);
      for (const some of piecesOf(due, CHECKS_AT_ONCE)) {
        await Promise.all(some.map(([queue, swept]) => this.#check(queue, swept)));
      }
      const pause = this.#nextDueAt() - this.#clock.now();
      if (pause > 0) await this.#clock.sleep(pause, changed);
    }
  }

  async #lookForPulledQueues(): Promise<void> {
    this.#looksAt = this.#clock.now() + this.#interval;
    try {
      const pulled = new Set(await this.#attempts.pulledQueues());
      for (const [queue, { ofWorker }] of this.#queues) {
        if (ofWorker === undefined && !pulled.has(queue)) this.#queues.delete(queue);
      }
      for (const queue of pulled) {
        if (!this.#queues.has(queue)) this.watch(queue, undefined);
      }
    } catch (error) {
      if (isStoreUnavailable(error)) return;
      this.#logger.error('The queues with pulled jobs could not be read', { error });
    }
  }

  /** At most one interval ahead, so that a clock that was set back does not delay the sweep. */
  #nextDueAt(): number {
    let next = Math.min(this.#looksAt, this.#clock.now() + this.#interval);
    for (const { dueAt } of this.#queues.values()) next = Math.min(next, dueAt);
    return next;
  }

  async #check(queue: QueueName, { ofWorker, group }: SweptQueue): Promise<void> {
    const ofPolicy = this.#policies.of(queue)?.maxStalledCount;
    const maxStalledCount = ofWorker ?? ofPolicy ?? DEFAULT_MAX_STALLED_COUNT;
    const again = await this.#recover(queue, maxStalledCount);
    const swept = this.#queues.get(queue);
    if (swept === undefined) return;
    const turn = nextTurn(this.#clock.now(), this.#interval, group);
    this.#queues.set(queue, { ...swept, dueAt: Math.min(turn, again ?? turn) });
  }

  async #recover(queue: QueueName, maxStalledCount: number): Promise<number | undefined> {
    try {
      const { stalled, checkAgainAt } = await this.#attempts.recoverStalled(queue, maxStalledCount);
      for (const jobId of stalled) this.#observer.observe({ kind: 'stalled', queue, jobId });
      return checkAgainAt;
    } catch (error) {
      if (!isStoreUnavailable(error)) {
        this.#logger.error('The stalled check failed', { queue, error });
      }
      return undefined;
    }
  }
}
