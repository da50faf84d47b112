import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { ExpiryPort } from '../ports/expiry-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** How often (ms) the sweep looks for expired jobs. */
const INTERVAL = 500;

/** Pause (ms) between rounds while more jobs are expired, so that the store can serve others. */
const PAUSE = 10;

/** Fails the jobs that were not claimed before they expired. Every replica sweeps all queues. */
export class ExpirySweep implements RepeatedWork {
  readonly name = 'expiry sweep';
  readonly failure = { line: 'The expiry sweep failed', pause: INTERVAL };
  readonly #expiry: ExpiryPort;
  readonly #observer: AttemptObserver;
  readonly #logger: LoggerPort;

  constructor(expiry: ExpiryPort, observer: AttemptObserver, logger: LoggerPort) {
    this.#expiry = expiry;
    this.#observer = observer;
    this.#logger = logger;
  }

  async round(): Promise<number> {
    const { expired, isDone } = await this.#expiry.expireDue();
    for (const { queue, jobs } of expired) {
      this.#logger.info('Jobs expired before they could start', { queue, count: jobs.length });
      this.#observer.observe({ kind: 'failed', queue, jobs });
    }
    return isDone ? INTERVAL : PAUSE;
  }
}
