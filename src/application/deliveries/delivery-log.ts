import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { hookOfQueue } from '../../domain/queues/own-queue.ts';
import type { AttemptEnding } from '../../domain/attempts/ending.ts';
import type { AttemptEnded, AttemptEvent, AttemptObserver } from '../ports/attempt-observer.ts';
import type { DeliveryObserver, SendOutcome } from '../ports/delivery-observer.ts';
import type { LogFields, LoggerPort } from '../ports/logger-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import { LogThrottle } from '../running/log-throttle.ts';

const OUTCOMES: Readonly<Record<AttemptEnding['kind'], SendOutcome>> = {
  completed: 'delivered',
  failed: 'failed',
  retry: 'retried',
  deferred: 'retried',
  suspended: 'retried',
};

/** Logs and counts what is sent: these are no jobs of anybody, and no figure of a queue counts them. */
export class DeliveryLog implements AttemptObserver {
  readonly #logger: LoggerPort;
  readonly #clock: ClockPort;
  readonly #observer: DeliveryObserver;
  /** A receiver that is away fails many messages for one reason. */
  readonly #lines = new Map<string, LogThrottle>();

  constructor(logger: LoggerPort, clock: ClockPort, observer: DeliveryObserver) {
    this.#logger = logger;
    this.#clock = clock;
    this.#observer = observer;
  }

  observe(event: AttemptEvent): void {
    if (event.kind === 'ended') this.#ended(event);
    else if (event.kind === 'left') this.#lines.delete(hookOfQueue(event.queue) ?? '');
  }

  #ended({ queue, attempt, result }: AttemptEnded): void {
    const { ending } = result;
    // Skipped: another delivery already covers it.
    if (ending.kind === 'completed' && ending.call === undefined) return;
    const hook = hookOfQueue(queue);
    if (hook !== undefined) this.#observer.sent(hook, OUTCOMES[ending.kind]);
    if (!('reason' in ending)) return;
    // What a receiver answers may repeat what it got.
    const reason = result.status === undefined ? ending.reason : `HTTP ${result.status}`;
    const fields = { ...(hook !== undefined && { hook }), delivery: attempt.jobId, reason };
    if (ending.kind !== 'failed') this.#logger.debug('A message will be sent again', fields);
    else this.#failed(hook ?? '', fields);
  }

  #failed(hook: string, fields: LogFields): void {
    const lines = keptOrMade(this.#lines, hook, () => new LogThrottle());
    const failed = lines.note(this.#clock.now());
    if (failed > 0) this.#logger.warn('A message could not be delivered', { ...fields, failed });
  }
}
