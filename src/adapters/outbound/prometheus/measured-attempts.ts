import type { AttemptEnding, Settled } from '../../../domain/attempts/ending.ts';
import type { AttemptKey } from '../../../domain/attempts/attempt.ts';
import type { AttemptPort } from '../../../application/ports/attempt-port.ts';
import type { Claim, ClaimRequest } from '../../../domain/attempts/claim.ts';
import type { OverdueAttempt } from '../../../domain/attempts/acceptance.ts';
import type { ReportOutcome } from '../../../domain/attempts/attempt-report.ts';
import type { StalledCheck } from '../../../domain/attempts/stalled.ts';
import type { Json } from '../../../domain/values/json.ts';
import type { QueueAccounts } from './queue-accounts.ts';
import type { StoreTimer } from './store-timer.ts';
import type { QueueName } from '../../../domain/queues/queue-name.ts';

/** Attempts as the store has them, with the time that each call takes. */
export class MeasuredAttempts implements AttemptPort {
  readonly #attempts: AttemptPort;
  readonly #accounts: QueueAccounts;
  readonly #timer: StoreTimer;

  constructor(attempts: AttemptPort, accounts: QueueAccounts, timer: StoreTimer) {
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

  reportEnding(
    queue: QueueName,
    attempt: AttemptKey,
    ending: AttemptEnding,
  ): Promise<ReportOutcome> {
    return this.#timer.time(this.#attempts.reportEnding(queue, attempt, ending));
  }

  reportRelease(queue: QueueName, attempt: AttemptKey, delay: number): Promise<ReportOutcome> {
    return this.#timer.time(this.#attempts.reportRelease(queue, attempt, delay));
  }

  holds(queue: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#timer.time(this.#attempts.holds(queue, attempt));
  }

  wasReported(queue: QueueName, attempt: AttemptKey): Promise<boolean> {
    return this.#timer.time(this.#attempts.wasReported(queue, attempt));
  }

  extend(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#timer.time(this.#attempts.extend(queue, attempt, duration));
  }

  accept(queue: QueueName, attempt: AttemptKey, duration: number): Promise<boolean> {
    return this.#timer.time(this.#attempts.accept(queue, attempt, duration));
  }

  endCall(queue: QueueName, attempt: AttemptKey): Promise<void> {
    return this.#timer.time(this.#attempts.endCall(queue, attempt));
  }

  overdue(): Promise<readonly OverdueAttempt[]> {
    return this.#timer.time(this.#attempts.overdue());
  }

  renew<Held extends AttemptKey>(
    queue: QueueName,
    attempts: readonly Held[],
    duration: number,
  ): Promise<readonly Held[]> {
    return this.#timer.time(this.#attempts.renew(queue, attempts, duration));
  }

  reportProgress(queue: QueueName, attempt: AttemptKey, progress: Json): Promise<boolean> {
    return this.#timer.time(this.#attempts.reportProgress(queue, attempt, progress));
  }

  addLog(queue: QueueName, attempt: AttemptKey, line: string): Promise<boolean> {
    return this.#timer.time(this.#attempts.addLog(queue, attempt, line));
  }

  recoverStalled(queue: QueueName, maxStalledCount: number): Promise<StalledCheck> {
    return this.#timer.time(this.#attempts.recoverStalled(queue, maxStalledCount));
  }

  pulledQueues(): Promise<readonly QueueName[]> {
    return this.#timer.time(this.#attempts.pulledQueues());
  }

  /** How long jobs are waited for says nothing about the store. */
  waitForJobs(queue: QueueName, until: number, signal: AbortSignal): Promise<void> {
    return this.#attempts.waitForJobs(queue, until, signal);
  }
}
