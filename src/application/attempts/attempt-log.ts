import { destinationOf } from '../../domain/calls/destination.ts';
import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { hasUrl } from '../../domain/workers/called-worker.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { loggableQuote, loggableReason } from '../../domain/jobs/loggable-reason.ts';
import type {
  AttemptEnded,
  AttemptEvent,
  AttemptObserver,
  EndingReported,
} from '../ports/attempt-observer.ts';
import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LogFields, LoggerPort } from '../ports/logger-port.ts';
import { LogThrottle } from '../running/log-throttle.ts';
import { FailureLines, LINES_WINDOW } from './failure-lines.ts';
import { UnansweredCalls } from './unanswered-calls.ts';

/** Minimum time (ms) between two lines about unreadable answers of one queue. */
const DOUBT_INTERVAL = 60_000;

/** Logs attempts: each failed job on a line of its own, up to a limit, and everything else at debug level. */
export class AttemptLog implements AttemptObserver {
  readonly #logger: LoggerPort;
  readonly #clock: ClockPort;
  readonly #failures = new Map<string, FailureLines>();
  readonly #holds = new Map<string, LogThrottle>();
  readonly #unanswered = new Map<string, UnansweredCalls>();
  /** When (epoch ms) the last line about an unreadable answer was written. */
  readonly #doubts = new Map<string, number>();

  constructor(logger: LoggerPort, clock: ClockPort) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** The line about the end of an attempt is complete, so none is written at its start. */
  observe(event: AttemptEvent): void {
    if (event.kind === 'ended') this.#ended(event);
    else if (event.kind === 'accepted') {
      this.#debug('Job accepted by its endpoint', event, { duration: event.duration });
    } else if (event.kind === 'reported') this.#reported(event);
    else if (event.kind === 'lost') {
      const fields = facts(event.queue, event.attempt);
      this.#logger.warn('Lock lost: the result of this attempt is discarded', fields);
    } else if (event.kind === 'cancelled') {
      this.#debug('Job cancelled', event, { duration: event.duration });
    } else if (event.kind === 'stalled') {
      this.#logger.warn('Job stalled', { queue: event.queue, job: event.jobId });
    } else if (event.kind === 'left') this.#left(event.queue);
  }

  #ended(ended: AttemptEnded): void {
    const { queue, attempt, result } = ended;
    const { ending } = result;
    if (ended.beginsHold) this.#holdBegan(ended);
    if (ended.breaker !== undefined) this.#breakerMoved(ended);
    if (ending.kind === 'completed' && ending.call?.doubt !== undefined) {
      this.#doubted(queue, attempt, ending.call.doubt);
    }
    if (ending.kind === 'failed') this.#failed(queue, attempt.job, () => why(ended));
    this.#noteUnanswered(ended);
    if (ending.kind === 'failed' || !this.#logger.writesDebug) return;
    if (ending.kind === 'completed') {
      this.#logger.debug('Job completed', facts(queue, attempt));
    } else if (ending.kind === 'retry') {
      const fields = { ...facts(queue, attempt), delay: ending.delay, ...why(ended) };
      this.#logger.debug('Job will be retried', fields);
    } else if (ending.kind === 'suspended') {
      this.#logger.debug('Job suspended', facts(queue, attempt));
    } else {
      const { scope, until } = ending;
      const fields = { ...facts(queue, attempt), scope, until, ...why(ended) };
      this.#logger.debug('Job deferred', fields);
    }
  }

  /** One line for a row of jobs, however long it is: it names what keeps the other jobs, and what brings these back. */
  #noteUnanswered(ended: AttemptEnded): void {
    const { queue, result, attempt } = ended;
    // No breaker helps against that of a destination.
    if (destinationOf(attempt.job.opts) !== undefined) return;
    const calls = keptOrMade(this.#unanswered, queue, () => new UnansweredCalls());
    if (!calls.completeWith(result.ending)) return;
    const ways =
      'opts.breaker of the worker lets the other jobs wait, attempts has them tried again';
    this.#logger.warn(`Ten jobs in a row failed: nothing listens at the endpoint; ${ways}`, {
      queue,
      ...why(ended),
      retry: `jobgate retry ${queue} --cause 1`,
    });
  }

  #debug(message: string, of: { queue: QueueName; attempt: Attempt }, more: LogFields): void {
    if (!this.#logger.writesDebug) return;
    this.#logger.debug(message, { ...facts(of.queue, of.attempt), ...more });
  }

  #reported(ended: EndingReported): void {
    const { queue, attempt, ending, job } = ended;
    if (ending.kind === 'completed') {
      if (this.#logger.writesDebug) {
        this.#logger.debug('Job completed', { queue, job: attempt.jobId });
      }
      return;
    }
    if (job === undefined) return;
    if (ending.kind === 'failed') this.#failed(queue, job, () => reported(ended, job));
    else if (ending.kind === 'retry' && this.#logger.writesDebug) {
      const fields = { ...facts(queue, { job }), delay: ending.delay, ...reported(ended, job) };
      this.#logger.debug('Job will be retried', fields);
    }
  }

  /** Logs how many failures have no line of their own. */
  #left(queue: QueueName): void {
    this.#logRest(queue);
    this.#failures.delete(queue);
    this.#holds.delete(queue);
    this.#unanswered.delete(queue);
    this.#doubts.delete(queue);
  }

  #failed(queue: QueueName, job: Pick<Job, 'id' | 'attemptsMade'>, why: () => LogFields): void {
    const lines = keptOrMade(this.#failures, queue, () => new FailureLines());
    const taken = lines.take(this.#clock.now());
    if (taken === 'first unlogged') void this.#logRestLater(queue);
    if (taken !== 'line') return;
    const fields = { queue, job: job.id, attempts: job.attemptsMade + 1, ...why() };
    this.#logger.warn('Job failed', fields);
  }

  /** At most a line a minute: an endpoint that gives one unreadable answer usually gives one on every call. */
  #doubted(queue: QueueName, attempt: Attempt, doubt: string): void {
    const now = this.#clock.now();
    const last = this.#doubts.get(queue) ?? -Infinity;
    if (now - last < DOUBT_INTERVAL) return;
    this.#doubts.set(queue, now);
    this.#logger.warn('A job completed with unreadable JSON', {
      ...facts(queue, attempt),
      reason: doubt,
    });
  }

  /** Throttled, since an endpoint may request short holds repeatedly. */
  #holdBegan(ended: AttemptEnded): void {
    const { ending } = ended.result;
    if (ending.kind !== 'deferred') return;
    const { queue } = ended.worker;
    const lines = keptOrMade(this.#holds, queue, () => new LogThrottle());
    const holds = lines.note(this.#clock.now());
    if (holds === 0) return;
    this.#logger.warn('Queue held: its endpoint asks to be called later', {
      queue,
      until: ending.until,
      holds,
      ...why(ended),
    });
  }

  #breakerMoved(ended: AttemptEnded): void {
    const { queue, opts } = ended.worker;
    if (ended.breaker === 'closed') {
      this.#logger.info('Breaker closed: calls start again', { queue });
    } else {
      const { failures } = opts?.breaker ?? {};
      this.#logger.warn('Breaker opened: no call starts', { queue, failures, ...why(ended) });
    }
  }

  async #logRestLater(queue: QueueName): Promise<void> {
    await this.#clock.sleep(LINES_WINDOW);
    this.#logRest(queue);
  }

  #logRest(queue: QueueName): void {
    const jobs = this.#failures.get(queue)?.takeUnlogged() ?? 0;
    if (jobs > 0) this.#logger.warn('More jobs failed', { queue, jobs });
  }
}

function facts(queue: QueueName, { job }: Pick<Attempt, 'job'>): LogFields {
  return { queue, job: job.id, attempt: job.attemptsMade + 1 };
}

function why({ attempt, worker, result }: AttemptEnded): LogFields {
  const { ending, status } = result;
  if (!('reason' in ending)) return {};
  const { job, token } = attempt;
  const endpoint = hasUrl(worker) ? { endpoint: worker.endpoint } : {};
  const reason = loggableReason(ending.reason, status, { ...endpoint, job, token });
  return { ...(status !== undefined && { status }), reason };
}

function reported({ attempt, ending, isQuoted }: EndingReported, job: Job): LogFields {
  if (!('reason' in ending)) return {};
  const { reason } = ending;
  return {
    reason: isQuoted ? loggableQuote(reason, { job, token: attempt.token }) : reason,
  };
}
