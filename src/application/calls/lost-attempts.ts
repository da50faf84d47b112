import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';

export interface LostDependencies {
  readonly attempts: AttemptEnginePort;
  readonly logger: LoggerPort;
}

/**
 * The attempts of one queue that lost their jobs while their calls were running. The results of these calls are
 * ignored.
 */
export class LostAttempts {
  readonly #queue: QueueName;
  readonly #attempts: AttemptEnginePort;
  readonly #logger: LoggerPort;

  constructor(queue: QueueName, { attempts, logger }: LostDependencies) {
    this.#queue = queue;
    this.#attempts = attempts;
    this.#logger = logger;
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
}
