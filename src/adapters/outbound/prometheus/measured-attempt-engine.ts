import type { AttemptEnginePort } from '../../../application/ports/attempt-engine-port.ts';
import type { AttemptEnding, Settled } from '../../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../../domain/attempts/attempt.ts';
import type { Claim, ClaimRequest } from '../../../domain/attempts/claim.ts';
import type { QueueAccounts } from './queue-accounts.ts';
import type { StoreTimer } from './store-timer.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** The claims and endings of attempts as the store makes them, with the time that each call takes. */
export class MeasuredAttemptEngine implements AttemptEnginePort {
  readonly #attempts: AttemptEnginePort;
  readonly #accounts: QueueAccounts;
  readonly #timer: StoreTimer;

  constructor(attempts: AttemptEnginePort, accounts: QueueAccounts, timer: StoreTimer) {
    this.#attempts = attempts;
    this.#accounts = accounts;
    this.#timer = timer;
  }

  claim(queue: QueueName, request: ClaimRequest): Promise<Claim> {
    // Makes a queue known that this process serves and has found nothing in so far.
    this.#accounts.of(queue);
    return this.#timer.time(this.#attempts.claim(queue, request));
  }

  settle(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
    next?: ClaimRequest,
  ): Promise<Settled> {
    return this.#timer.time(this.#attempts.settle(queue, attempt, ending, next));
  }

  release(queue: QueueName, attempt: AttemptKey): Promise<void> {
    return this.#timer.time(this.#attempts.release(queue, attempt));
  }

  renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]> {
    return this.#timer.time(this.#attempts.renew(queue, attempts, duration));
  }

  endCall(queue: QueueName, attempt: AttemptKey): Promise<void> {
    return this.#timer.time(this.#attempts.endCall(queue, attempt));
  }

  /** How long jobs are waited for says nothing about the store. */
  waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void> {
    return this.#attempts.waitForJobs(queue, until, signal);
  }
}
