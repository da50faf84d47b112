import type { QueueName } from '../../domain/queue-name.ts';
import { isStoreUnavailable } from '../../domain/errors.ts';
import { Notifier } from '../delivery/notifier.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { AttemptPort } from '../ports/attempt-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { Startable } from '../ports/startable.ts';
import { nextTurn, TURN_GROUPS } from './next-turn.ts';

/** Most queues that are checked at once. */
const CHECKS_AT_ONCE = 50;

interface SweptQueue {
  readonly maxStalledCount: number;
  /** The group with which the queue is checked. */
  readonly group: number;
  /** When (epoch ms) it is checked next. */
  readonly dueAt: number;
}

/**
 * Checks the queues of this replica for stalled jobs, each once in an interval and soon again when jobs are
 * suspected. One loop serves all queues, whether a worker or only those who pull process them.
 */
export class StalledSweep implements Startable {
  readonly name = 'stalled sweep';
  readonly #attempts: AttemptPort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #observer: AttemptObserver;
  readonly #interval: number;
  readonly #queues = new Map<QueueName, SweptQueue>();
  readonly #changed = new Notifier();
  readonly #stopped = new AbortController();
  #sweeping: Promise<void> | undefined;

  /** @param interval in which each queue is checked, in milliseconds (STALLED_INTERVAL). */
  constructor(
    attempts: AttemptPort,
    clock: ClockPort,
    logger: LoggerPort,
    observer: AttemptObserver,
    interval: number,
  ) {
    this.#attempts = attempts;
    this.#clock = clock;
    this.#logger = logger;
    this.#observer = observer;
    this.#interval = interval;
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

  /** Checks the queue from now on, at once the first time. @param maxStalledCount how often a job may stall. */
  watch(queue: QueueName, maxStalledCount: number): void {
    const known = this.#queues.get(queue);
    const group = known?.group ?? Math.floor(Math.random() * TURN_GROUPS);
    this.#queues.set(queue, { maxStalledCount, group, dueAt: known?.dueAt ?? -Infinity });
    if (known === undefined) this.#changed.notify();
  }

  unwatch(queue: QueueName): void {
    this.#queues.delete(queue);
  }

  async #sweep(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const changed = this.#changed.signal;
      const now = this.#clock.now();
      const due = [...this.#queues].filter(([, { dueAt }]) => dueAt <= now);
      for (let first = 0; first < due.length; first += CHECKS_AT_ONCE) {
        const some = due.slice(first, first + CHECKS_AT_ONCE);
        await Promise.all(some.map(([queue, swept]) => this.#check(queue, swept)));
      }
      const pause = this.#nextDueAt() - this.#clock.now();
      if (pause > 0) await this.#clock.sleep(pause, changed);
    }
  }

  /** At the latest in an interval, so that a clock that was put back does not keep the sweep waiting. */
  #nextDueAt(): number {
    let next = this.#clock.now() + this.#interval;
    for (const { dueAt } of this.#queues.values()) next = Math.min(next, dueAt);
    return next;
  }

  async #check(queue: QueueName, { maxStalledCount, group }: SweptQueue): Promise<void> {
    const again = await this.#recover(queue, maxStalledCount);
    const swept = this.#queues.get(queue);
    if (swept === undefined) return;
    const turn = nextTurn(this.#clock.now(), this.#interval, group);
    this.#queues.set(queue, { ...swept, dueAt: Math.min(turn, again ?? turn) });
  }

  async #recover(queue: QueueName, maxStalledCount: number): Promise<number | undefined> {
    try {
      const { stalled, checkAgainAt } = await this.#attempts.recoverStalled(queue, maxStalledCount);
      for (const jobId of stalled) this.#observer.stalled(queue, jobId);
      return checkAgainAt;
    } catch (error) {
      if (!isStoreUnavailable(error)) {
        this.#logger.error('The stalled check failed', { queue, error });
      }
      return undefined;
    }
  }
}
