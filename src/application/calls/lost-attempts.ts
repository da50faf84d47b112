import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';

export interface LostDependencies {
  readonly attempts: AttemptEnginePort;
  readonly holders: AttemptHolderPort;
  readonly observer: AttemptObserver;
  readonly logger: LoggerPort;
}

/**
 * The attempts of one queue that lost their jobs while their calls were running. The results of these calls are
 * ignored.
 */
export class LostAttempts {
  readonly #queue: QueueName;
  readonly #attempts: AttemptEnginePort;
  readonly #holders: AttemptHolderPort;
  readonly #observer: AttemptObserver;
  readonly #logger: LoggerPort;

  constructor(queue: QueueName, { attempts, holders, observer, logger }: LostDependencies) {
    this.#queue = queue;
    this.#attempts = attempts;
    this.#holders = holders;
    this.#observer = observer;
    this.#logger = logger;
  }

  /** Handles the end of a call when the store has just answered that its attempt lost the job. */
  ended(attempt: Attempt): void {
    this.endCall(attempt);
    void this.#report(attempt);
  }

  /**
   * Frees the place of a finished call. If this fails, the store frees it at the time at which the lock would have
   * expired.
   */
  endCall(attempt: Attempt): void {
    void this.#endCall(attempt);
  }

  async #endCall(attempt: Attempt): Promise<void> {
    try {
      await this.#attempts.endCall(this.#queue, attempt);
    } catch (error) {
      const facts = { queue: this.#queue, job: attempt.jobId };
      this.#logger.debug('The place of a call could not be freed', { ...facts, error });
    }
  }

  /** An endpoint may report the end of its attempt before it answers; the answer is then ignored. */
  async #report(attempt: Attempt): Promise<void> {
    const reported = this.#holders.wasReported(this.#queue, attempt);
    if (await reported.catch(() => false)) return;
    this.#observer.observe({ kind: 'lost', queue: this.#queue, attempt });
  }
}
