import { isStoreUnavailable } from '../../domain/errors.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { ExpiryPort } from '../ports/expiry-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { Startable } from '../running/startable.ts';
import { Rounds } from '../running/rounds.ts';

/** How often (ms) the sweep looks for expired jobs. */
const INTERVAL = 500;

/** Pause (ms) between rounds while more jobs are expired, so that the store can serve others. */
const PAUSE = 10;

/** Fails the jobs that were not claimed before they expired. Every replica sweeps all queues. */
export class ExpirySweep implements Startable {
  readonly name = 'expiry sweep';
  readonly #expiry: ExpiryPort;
  readonly #observer: AttemptObserver;
  readonly #logger: LoggerPort;
  readonly #rounds: Rounds;

  constructor(expiry: ExpiryPort, observer: AttemptObserver, clock: ClockPort, logger: LoggerPort) {
    this.#expiry = expiry;
    this.#observer = observer;
    this.#logger = logger;
    this.#rounds = new Rounds(clock, () => this.#round());
  }

  start(): Promise<void> {
    return this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  async #round(): Promise<number> {
    try {
      const { expired, isDone } = await this.#expiry.expireDue();
      for (const { queue, jobs } of expired) {
        const line = 'Jobs expired before they could start';
        this.#logger.info(line, { queue, count: jobs.length });
        this.#observer.observe({ kind: 'failed', queue, jobs });
      }
      return isDone ? INTERVAL : PAUSE;
    } catch (error) {
      if (!isStoreUnavailable(error)) this.#logger.error('The expiry sweep failed', { error });
      return INTERVAL;
    }
  }
}
