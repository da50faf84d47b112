import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { beginOf, STEPS } from '../../domain/figures/figure-steps.ts';
import type { Counted } from '../../domain/figures/figures.ts';
import type { AttemptEnding } from '../../domain/attempts/ending.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import { waitForFirst, type Job } from '../../domain/jobs/job.ts';
import { statusOfFailure } from '../../domain/jobs/failure-cause.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { USUAL_COST } from '../../domain/queues/start-cost.ts';
import { KEPT_CALLS, type LatestCall } from '../../domain/calls/latest-calls.ts';
import { written, writtenEach } from '../running/unwritten.ts';
import type {
  AttemptEnded,
  AttemptEvent,
  AttemptObserver,
  JobAccepted,
} from '../ports/attempt-observer.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { FiguresPort } from '../ports/figures-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import type { CountedMinute } from './counted-minute.ts';
import { QueueCount } from './queue-count.ts';

/**
 * How often (ms) figures are written: a killed replica loses no more than this, and readers are at most ten seconds
 * behind.
 */
const INTERVAL = 8000;

/** How long (ms) figures stay in memory while the store is away. */
const KEPT_UNWRITTEN = STEPS.hour;

const ACCEPTED = { outcome: 'accepted', status: 202 } as const;

type EndedOrAccepted = Pick<AttemptEnded | JobAccepted, 'queue' | 'attempt' | 'duration'>;

const COUNTED_AS: Readonly<
  Record<Exclude<AttemptEnding['kind'], 'failed' | 'suspended'>, Counted>
> = {
  completed: 'completed',
  retry: 'retried',
  deferred: 'deferred',
};

/**
 * Counts the jobs on this replica, and adds the counts to the records of the queues once per interval, so that figures
 * cost no command per job (platform contract, section 10).
 */
export class FigureRecorder implements AttemptObserver, RepeatedWork {
  readonly name = 'figure recorder';
  readonly #store: FiguresPort;
  readonly #source: string;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #replica: string;
  readonly #queues = new Map<QueueName, QueueCount>();
  readonly #total = new QueueCount();

  /**
   * @param source the key of the figures of this process, which no other process uses.
   * @param replica the name of this replica, as in its log lines.
   */
  constructor(
    store: FiguresPort,
    source: string,
    replica: string,
    clock: ClockPort,
    logger: LoggerPort,
  ) {
    this.#store = store;
    this.#source = source;
    this.#replica = replica;
    this.#clock = clock;
    this.#logger = logger;
  }

  finish(): Promise<void> {
    return this.#writeAll();
  }

  /**
   * Counts the event. An attempt that lost its job is not counted, since the attempt that now holds the job counts its
   * end.
   */
  observe(event: AttemptEvent): void {
    switch (event.kind) {
      case 'started':
        this.#started(event.queue, event.attempt);
        break;
      case 'ended': {
        const { ending } = event.result;
        this.#ended(event.queue, event.attempt.jobId, ending);
        this.#counted(event.queue, event.attempt.job, ending);
        const { sharesCall = false } = event;
        if (ending.call !== undefined && !sharesCall)
          this.#called(event, ending.call, reasonOf(ending));
        break;
      }
      case 'reported':
        this.#ended(event.queue, event.attempt.jobId, event.ending);
        this.#counted(event.queue, event.job, event.ending);
        break;
      case 'accepted':
        if (event.sharesCall !== true) this.#called(event, ACCEPTED, null);
        break;
      case 'stalled':
        this.#current(event.queue).count('stalled');
        break;
      case 'added':
        this.#current(event.queue).count('added', event.jobs);
        break;
      case 'failed': {
        const minute = this.#current(event.queue);
        const failedAt = this.#clock.now();
        for (const job of event.jobs) minute.failed({ ...job, status: undefined, failedAt });
        break;
      }
    }
  }

  /**
   * Writes the new figures of a queue, or of all queues together.
   *
   * @throws DomainError `store-unavailable`.
   */
  async flush(queue: QueueName | undefined): Promise<void> {
    if (queue === undefined) {
      await this.#writeTotal();
      return;
    }
    const count = this.#queues.get(queue);
    if (count !== undefined) await this.#write(queue, count);
  }

  /** Forgets what calls and failures said, in all queues unless one is given; what was written of them stays. */
  forget(queue?: QueueName): void {
    for (const [name, count] of this.#queues) {
      if (queue === undefined || name === queue) count.forgetReasons();
    }
  }

  #started(queue: QueueName, { job }: Attempt): void {
    this.#current(queue).cost(job.opts.cost ?? USUAL_COST);
    const waited = waitForFirst(job);
    if (waited !== undefined) this.#current(queue).waited(waited);
  }

  /** Counts the difference to what the start counted by the options of the job. */
  #counted(queue: QueueName, job: Job | undefined, { call }: AttemptEnding): void {
    if (job === undefined || call?.cost === undefined) return;
    this.#current(queue).cost(call.cost - (job.opts.cost ?? USUAL_COST));
  }

  #ended(queue: QueueName, jobId: string, ending: AttemptEnding): void {
    const minute = this.#current(queue);
    if (ending.kind === 'failed') {
      const { reason, call } = ending;
      const status = call?.status ?? statusOfFailure({ failedReason: reason });
      minute.failed({ id: jobId, reason, status, failedAt: this.#clock.now() });
    } else if (ending.kind !== 'suspended') {
      minute.count(COUNTED_AS[ending.kind]);
    }
  }

  #called(
    { queue, attempt: { job }, duration }: EndedOrAccepted,
    { outcome, status }: Pick<LatestCall, 'outcome'> & { readonly status?: number | undefined },
    reason: string | null,
  ): void {
    const count = this.#of(queue);
    const now = this.#clock.now();
    count.at(now, this.#total).called(duration, status);
    count.called({
      job: job.id,
      attempt: job.attemptsMade + 1,
      startedAt: Math.round(now - duration),
      durationMs: Math.round(duration),
      status: status ?? null,
      outcome,
      reason,
      replica: this.#replica,
    });
  }

  /** The minute of the queue to count in. */
  #current(queue: QueueName): CountedMinute {
    return this.#of(queue).at(this.#clock.now(), this.#total);
  }

  #of(queue: QueueName): QueueCount {
    return keptOrMade(this.#queues, queue, () => new QueueCount());
  }

  async round(): Promise<number> {
    await this.#writeAll();
    const now = this.#clock.now();
    // Completes the minute right after its end.
    return Math.min(INTERVAL, beginOf('minute', now) + STEPS.minute - now + 1);
  }

  async #writeAll(): Promise<void> {
    this.#forget();
    const changed = [...this.#queues].filter(([, { minutes }]) =>
      minutes.some(({ isNew }) => isNew),
    );
    const report = (error: unknown): void => {
      this.#logger.error('The figures could not be written', { error });
    };
    if (!(await writtenEach([this.#total], () => this.#writeTotal(), report))) return;
    await writtenEach(changed, ([queue, count]) => this.#write(queue, count), report);
  }

  async #write(queue: QueueName, count: QueueCount): Promise<void> {
    for (const minute of [...count.minutes]) {
      await written(minute, () =>
        this.#store.save({
          queue,
          source: this.#source,
          minute: { at: minute.at, figures: minute.counter.figures },
          hour: count.hourOf(minute),
          failures: minute.failures.all(),
          calls: count.calls.slice(-KEPT_CALLS),
        }),
      );
    }
  }

  /** Written even if nothing was counted, since that is recorded too. */
  async #writeTotal(): Promise<void> {
    const now = this.#clock.now();
    this.#total.at(now).isNew = true;
    for (const minute of [...this.#total.minutes]) {
      await written(minute, () =>
        this.#store.saveTotal({
          source: this.#source,
          minute: { at: minute.at, figures: minute.counter.figures },
          hour: this.#total.hourOf(minute),
        }),
      );
    }
  }

  #forget(): void {
    const now = this.#clock.now();
    const oldest = now - KEPT_UNWRITTEN;
    this.#total.forget(now, oldest);
    for (const [queue, count] of this.#queues) {
      count.forget(now, oldest);
      if (count.isOver(now)) this.#queues.delete(queue);
    }
  }
}

/** The recorded reason of an attempt. */
function reasonOf(ending: AttemptEnding): string | null {
  return 'reason' in ending ? ending.reason : (ending.call?.doubt ?? null);
}
