import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { destinationOf } from '../../domain/calls/destination.ts';
import { CallCounter, type CountedCall } from '../../domain/calls/call-figures.ts';
import { written, writtenEach, type Unwritten } from '../running/unwritten.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import type { AttemptEnded, AttemptEvent, AttemptObserver } from '../ports/attempt-observer.ts';
import { KEPT_MINUTES, type CallFiguresPort } from '../ports/call-figures-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';

/** How often (ms) the figures are written. */
const INTERVAL = 1000;

export const MINUTE = 60_000;

interface Minute extends Unwritten {
  readonly minute: number;
  readonly counter: CallCounter;
}

/**
 * Counts the calls of this replica and writes the figures of each queue with calls once per interval. A call is an
 * attempt that called the endpoint and has a recorded result. While the store is away, the figures stay in memory for
 * as long as they are relevant.
 */
export class CallRecorder implements AttemptObserver, RepeatedWork {
  readonly name = 'call recorder';
  readonly #store: Pick<CallFiguresPort, 'save'>;
  readonly #source: string;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  /** The last minutes of each queue, oldest first. */
  readonly #queues = new Map<QueueName, Minute[]>();

  /** @param source the key of the figures of this process, which no other process uses. */
  constructor(
    store: Pick<CallFiguresPort, 'save'>,
    source: string,
    clock: ClockPort,
    logger: LoggerPort,
  ) {
    this.#store = store;
    this.#source = source;
    this.#clock = clock;
    this.#logger = logger;
  }

  finish(): Promise<void> {
    return this.#writeAll();
  }

  /**
   * Counts the call that the event ends, if any. Cancelled calls are not counted, since their outcome is unknown; nor
   * are calls of attempts that lost their jobs, since their results are discarded; nor calls to other destinations.
   */
  observe(event: AttemptEvent): void {
    if (event.kind !== 'ended' && event.kind !== 'accepted') return;
    if (event.sharesCall === true || destinationOf(event.attempt.job.opts) !== undefined) return;
    if (event.kind === 'ended') this.#ended(event);
    else {
      this.#count(event.queue, { duration: event.duration, status: 202, failure: undefined });
    }
  }

  /**
   * Writes the new figures of a queue.
   *
   * @throws DomainError `store-unavailable`.
   */
  async flush(queue: QueueName): Promise<void> {
    const oldest = Math.floor(this.#clock.now() / MINUTE) - KEPT_MINUTES;
    for (const each of this.#queues.get(queue) ?? []) {
      const { minute, counter } = each;
      if (minute < oldest) continue;
      await written(each, () =>
        this.#store.save({ queue, minute, source: this.#source, figures: counter.figures }),
      );
    }
  }

  /** Forgets why calls failed, in all queues unless one is given. */
  forget(queue?: QueueName): void {
    for (const [name, minutes] of this.#queues) {
      if (queue !== undefined && name !== queue) continue;
      for (const { counter } of minutes) counter.forgetReason();
    }
  }

  #ended({ queue, result: { ending }, duration }: AttemptEnded): void {
    const { kind, call } = ending;
    if (call === undefined) return;
    const failure = kind === 'failed' || kind === 'retry' ? ending.reason : undefined;
    this.#count(queue, { duration, status: call.status, failure });
  }

  #count(queue: QueueName, call: Omit<CountedCall, 'at'>): void {
    const at = this.#clock.now();
    const current = this.#current(queue, Math.floor(at / MINUTE));
    current.counter.count({ at, ...call });
    current.isNew = true;
  }

  #current(queue: QueueName, minute: number): Minute {
    const minutes = keptOrMade(this.#queues, queue, () => []);
    const last = minutes.at(-1);
    if (last?.minute === minute) return last;
    const current = { minute, counter: new CallCounter(), isNew: false };
    minutes.push(current);
    return current;
  }

  async round(): Promise<number> {
    await this.#writeAll();
    return INTERVAL;
  }

  async #writeAll(): Promise<void> {
    this.#forgetWritten();
    const queues = [...this.#queues].filter(([, minutes]) => minutes.some(({ isNew }) => isNew));
    await writtenEach(
      queues,
      ([queue]) => this.flush(queue),
      (error, [queue]) => {
        this.#logger.error('The figures of calls could not be written', { queue, error });
      },
    );
  }

  /** Forgets minutes that are over and written, and minutes that are no longer relevant. */
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
