import type { BatchClaim } from '../../domain/attempts/batch.ts';
import type { Claim, ClaimRequest, ClaimedBatch } from '../../domain/attempts/claim.ts';
import { DEFAULT_CONCURRENCY } from '../../domain/workers/worker-options.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { TokenPort } from '../ports/token-port.ts';
import { ClaimTokens } from '../running/claim-tokens.ts';
import { Notifier } from '../running/notifier.ts';
import type { NoJob } from '../running/wait-after.ts';

export interface ClaimingDependencies {
  readonly attempts: AttemptEnginePort;
  readonly policies: PoliciesInForce;
  readonly tokens: TokenPort;
  readonly observer: AttemptObserver;
  /** How long an attempt is safe from the stalled check without a renewal of its lock, in milliseconds. */
  readonly lockDuration: number;
}

/** Claims jobs within the settings of a worker, which may change, and remembers the last answer that there is none. */
export class WorkerClaims {
  readonly #attempts: AttemptEnginePort;
  readonly #observer: AttemptObserver;
  readonly #lockDuration: number;
  readonly #policies: PoliciesInForce;
  readonly #tokens: ClaimTokens;
  readonly #changed = new Notifier();
  #worker: Worker;
  #isStopped = false;
  /**
   * The last answer of the store that there is no job, so that it is not asked for again. It is valid only until
   * another round begins or another claim is made.
   */
  #lastAnswer: NoJob | undefined;
  #round = 0;

  constructor(worker: Worker, dependencies: ClaimingDependencies) {
    this.#worker = worker;
    this.#attempts = dependencies.attempts;
    this.#observer = dependencies.observer;
    this.#lockDuration = dependencies.lockDuration;
    this.#policies = dependencies.policies;
    this.#tokens = new ClaimTokens(dependencies.tokens);
  }

  get worker(): Worker {
    return this.#worker;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Aborts when the settings or the last answer have changed, so that a wait for jobs is over. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** Counts how often the earlier answers of the store became invalid. */
  get round(): number {
    return this.#round;
  }

  /** Sets the settings for the next claims. */
  replace(worker: Worker): void {
    this.#worker = worker;
    this.askAgain();
  }

  /** Makes the earlier answers of the store invalid. */
  askAgain(): void {
    this.#round += 1;
    this.#lastAnswer = undefined;
    this.#changed.notify();
  }

  /** Allows no more claims. */
  stop(): void {
    this.#isStopped = true;
    this.#changed.notify();
  }

  /** Whether the settings allow another claim when `running` attempts hold a slot. */
  allows(running: number): boolean {
    const { opts, disabled } = this.#worker;
    const { concurrency = DEFAULT_CONCURRENCY } = opts ?? {};
    return !this.#isStopped && disabled === undefined && running < concurrency;
  }

  /** Claims a job, unless the store has just answered that there is none. */
  async claim(): Promise<Claim> {
    const answer = this.#takeLastAnswer();
    if (answer !== undefined) return answer;
    this.#observer.observe({ kind: 'served', queue: this.#worker.queue });
    const claim = await this.#tokens.use((token, isRepeated) =>
      this.#attempts.claim(this.#worker.queue, this.request(token, isRepeated)),
    );
    this.#lastAnswer = undefined;
    return claim;
  }

  /**
   * Claims jobs for one call.
   *
   * @param id the beginning of their tokens.
   * @param isRepeated whether an earlier claim with these tokens had no answer.
   */
  claimBatch(
    id: string,
    tokens: readonly string[],
    batch: BatchClaim,
    isRepeated: boolean,
  ): Promise<ClaimedBatch> {
    this.#observer.observe({ kind: 'served', queue: this.#worker.queue });
    const request = this.request(id, isRepeated);
    return this.#attempts.claimBatch(this.#worker.queue, { ...request, tokens, batch });
  }

  /** Draws the token of a claim that goes to the store with the end of an attempt. */
  drawToken(): string {
    return this.#tokens.draw();
  }

  /** The request of a claim by the current settings. */
  request(token: string, isRepeated = false): ClaimRequest {
    const { opts = {}, queue } = this.#worker;
    const { concurrency = DEFAULT_CONCURRENCY, limiter, breaker } = opts;
    const groups = groupDefaults(queue, this.#worker, this.#policies);
    return {
      token,
      concurrency,
      lockDuration: this.#lockDuration,
      ...(isRepeated && { isRepeated }),
      ...(limiter && { limiter }),
      ...(breaker && { hasBreaker: true }),
      ...(groups && { groups }),
    };
  }

  /** Repeats a claim: the store may have given a job to its token, in an answer that was lost. */
  repeat(token: string): void {
    this.#tokens.useAgain(token);
    this.#changed.notify();
  }

  /**
   * Remembers the answer to a claim that went to the store in `round`. A waiter may hold an outdated answer and must
   * claim earlier.
   */
  update(answer: NoJob, round: number): void {
    if (round !== this.#round) return;
    this.#lastAnswer = answer;
    this.#changed.notify();
  }

  #takeLastAnswer(): NoJob | undefined {
    if (this.#tokens.hasUnanswered) return undefined;
    const answer = this.#lastAnswer;
    this.#lastAnswer = undefined;
    return answer;
  }
}
