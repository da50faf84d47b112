import { CallCounter, type CountedCall } from '../../domain/call-figures.ts';
import { isStoreUnavailable } from '../../domain/errors.ts';
import { piecesOf } from '../../domain/pieces.ts';
import type { QueueName } from '../../domain/queue-name.ts';
import { Rounds } from '../maintenance/rounds.ts';
import type { AttemptObserver, EndedAttempt } from '../ports/attempt-observer.ts';
import type { Attempt } from '../ports/attempt-port.ts';
import { KEPT_MINUTES, type CallFiguresPort } from '../ports/call-figures-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { Startable } from '../ports/startable.ts';

/** How often what was counted is written, in milliseconds. */
const INTERVAL = 1000;

/** Most queues that are written at once. */
const AT_ONCE = 50;

export const MINUTE = 60_000;

interface Minute {
  readonly minute: number;
  readonly counter: CallCounter;
  /** Whether more was counted than is written. */
  isNew: boolean;
}

/**
 * Counts the calls of this replica and writes the figures of each queue that had any, once in an interval. A call
 * is an attempt that reached for the endpoint and whose result is recorded. While the store is away the figures
 * stay in memory, as long as they count.
 */
export class CallRecorder implements AttemptObserver, Startable {
  readonly name = 'call recorder';
  readonly #store: CallFiguresPort;
  readonly #source: string;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  /** Of each queue the last minutes, oldest first. */
  readonly #queues = new Map<QueueName, Minute[]>();
  readonly #rounds: Rounds;

  /** @param source what the figures of this process are written under, and of no other. */
  constructor(store: CallFiguresPort, source: string, clock: ClockPort, logger: LoggerPort) {
    this.#store = store;
    this.#source = source;
    this.#clock = clock;
    this.#logger = logger;
    this.#rounds = new Rounds(clock, () => this.#round());
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.#writeAll();
  }

  ended({ worker, result: { ending }, duration }: EndedAttempt): void {
    const { kind, call } = ending;
    if (call === undefined) return;
    const failure = kind === 'failed' || kind === 'retry' ? ending.reason : undefined;
    this.#count(worker.queue, { duration, status: call.status, failure });
  }

  started(): void {
    // Nothing is known of the call before it ends.
  }

  accepted(queue: QueueName, _attempt: Attempt, duration: number): void {
    this.#count(queue, { duration, status: 202, failure: undefined });
  }

  reported(): void {
    // Nobody was called, or the call was over before.
  }

  lost(): void {
    // The result counts for nothing, so neither does the call.
  }

  cancelled(): void {
    // Nobody knows what the call would have come to.
  }

  stalled(): void {
    // Whoever made the call does not tell any more.
  }

  left(): void {
    // What was counted counts on.
  }

  /**
   * Writes what is new of a queue.
   *
   * @throws DomainError `store-unavailable`.
   */
  async flush(queue: QueueName): Promise<void> {
    const oldest = Math.floor(this.#clock.now() / MINUTE) - KEPT_MINUTES;
    for (const each of this.#queues.get(queue) ?? []) {
      if (!each.isNew || each.minute < oldest) continue;
      const { minute, counter } = each;
      each.isNew = false;
      try {
        await this.#store.save({ queue, minute, source: this.#source, figures: counter.figures });
      } catch (error) {
        each.isNew = true;
        throw error;
      }
    }
  }

  #count(queue: QueueName, call: Omit<CountedCall, 'at'>): void {
    const at = this.#clock.now();
    const current = this.#current(queue, Math.floor(at / MINUTE));
    current.counter.count({ at, ...call });
    current.isNew = true;
  }

  #current(queue: QueueName, minute: number): Minute {
    const minutes = this.#queues.get(queue);
    const last = minutes?.at(-1);
    if (last?.minute === minute) return last;
    const current = { minute, counter: new CallCounter(), isNew: false };
    if (minutes === undefined) this.#queues.set(queue, [current]);
    else minutes.push(current);
    return current;
  }

  async #round(): Promise<number> {
    await this.#writeAll();
    return INTERVAL;
  }

  async #writeAll(): Promise<void> {
    this.#forgetWritten();
    const queues = [...this.#queues].filter(([, minutes]) => minutes.some(({ isNew }) => isNew));
    for (const some of piecesOf(queues, AT_ONCE)) {
      const isWritten = await Promise.all(some.map(([queue]) => this.#tryToFlush(queue)));
      if (isWritten.includes(false)) return;
    }
  }

  /** @returns false when the store is away; then there is no use in trying the others. */
  async #tryToFlush(queue: QueueName): Promise<boolean> {
    try {
      await this.flush(queue);
      return true;
    } catch (error) {
      if (isStoreUnavailable(error)) return false;
      this.#logger.error('The figures of calls could not be written', { queue, error });
      return true;
    }
  }

  /** What is written and over, and what counts no more. */
  #forgetWritten(): void {
    const now = Math.floor(this.#clock.now() / MINUTE);
    for (const [queue, minutes] of this.#queues) {
      const kept = minutes.filter(
        ({ minute, isNew }) => minute >= now || (isNew && minute >= now - KEPT_MINUTES),
      );
      if (kept.length === 0) this.#queues.delete(queue);
      else if (kept.length < minutes.length) this.#queues.set(queue, kept);
    }
  }
}
