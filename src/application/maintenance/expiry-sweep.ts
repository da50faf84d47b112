import { isStoreUnavailable } from '../../domain/errors.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { ExpiryPort } from '../ports/expiry-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { Startable } from '../ports/startable.ts';
import { Rounds } from './rounds.ts';

/** How often jobs are looked for whose time to start is over, in milliseconds. */
const INTERVAL = 500;

/** Pause between the rounds when there are many, in milliseconds: the store has others to serve. */
const PAUSE = 10;

/** Fails the jobs that nobody claims in the time they have. Every replica does it for all queues. */
export class ExpirySweep implements Startable {
  readonly name = 'expiry sweep';
  readonly #expiry: ExpiryPort;
  readonly #logger: LoggerPort;
  readonly #rounds: Rounds;

  constructor(expiry: ExpiryPort, clock: ClockPort, logger: LoggerPort) {
    this.#expiry = expiry;
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
      for (const { queue, count } of expired) {
        this.#logger.info('Jobs expired before they could start', { queue, count });
      }
      return isDone ? INTERVAL : PAUSE;
    } catch (error) {
      if (!isStoreUnavailable(error)) this.#logger.error('The expiry sweep failed', { error });
      return INTERVAL;
    }
  }
}
