import type { BatchClaim } from '../../domain/attempts/batch.ts';
import type { Claim, ClaimRequest, ClaimedBatch } from '../../domain/attempts/claim.ts';
import { openTimeOf } from '../../domain/queues/window.ts';
import { DEFAULT_CONCURRENCY } from '../../domain/workers/worker-options.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import { ClaimTokens } from '../running/claim-tokens.ts';
import { Notifier } from '../running/notifier.ts';
import type { NoJob } from '../running/wait-after.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

export interface ClaimingDependencies extends Pick<
  CommonPorts,
  'attempts' | 'tokens' | 'observer'
> {
  readonly policies: PoliciesInForce;
  /** How long (ms) an attempt is safe from the stalled check without a renewal of its lock. */
  readonly lockDuration: number;
}

/** Claims jobs within the settings of a worker, which may change, and caches the answer that there is no job. */
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
   * The latest answer that there is no job, so that the store is not asked again. It is valid until the next round
   * begins or another claim is made.
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

  /** Aborts when the settings or the cached answer have changed, to end a wait for jobs. */
  get changed(): AbortSignal {
    return this.#changed.signal;
  }

  /** Incremented when earlier answers of the store become invalid. */
  get round(): number {
    return this.#round;
  }

  /** Sets the settings for the next claims. */
  replace(worker: Worker): void {
    this.#worker = worker;
    this.askAgain();
  }

  /** Invalidates the earlier answers of the store. */
  askAgain(): void {
    this.expireAnswers();
    this.#changed.notify();
  }

  /** Says that the store may have jobs again, which its answers so far do not tell. */
  expireAnswers(): void {
    this.#round += 1;
    this.#lastAnswer = undefined;
  }

  /** Allows no further claims. */
  stop(): void {
    this.#isStopped = true;
    this.#changed.notify();
  }

  /** Whether the settings allow another claim while `running` attempts occupy slots. */
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
      this.start(token, (request) => this.#attempts.claim(this.#worker.queue, request), isRepeated),
    );
    this.#lastAnswer = undefined;
    return claim;
  }

  /**
   * Claims jobs for one call.
   *
   * @param id the common prefix of their tokens.
   * @param isRepeated whether an earlier claim with these tokens got no answer.
   */
  claimBatch(
    id: string,
    tokens: readonly string[],
    batch: BatchClaim,
    isRepeated: boolean,
  ): Promise<ClaimedBatch> {
    this.#observer.observe({ kind: 'served', queue: this.#worker.queue });
    return this.start(
      id,
      (request) => this.#attempts.claimBatch(this.#worker.queue, { ...request, tokens, batch }),
      isRepeated,
    );
  }

  /** Draws the token for a claim that is combined with the end of an attempt. */
  drawToken(): string {
    return this.#tokens.draw();
  }

  /** Sends the request of a claim under the settings and policies in force. */
  start<Answer>(
    token: string,
    send: (request: ClaimRequest) => Promise<Answer>,
    isRepeated = false,
  ): Promise<Answer> {
    return this.#policies.startJobs(() => send(this.#request(token, isRepeated)));
  }

  #request(token: string, isRepeated: boolean): ClaimRequest {
    const { opts = {}, queue } = this.#worker;
    const { concurrency = DEFAULT_CONCURRENCY, limiter, breaker } = opts;
    const groups = groupDefaults(queue, this.#worker, this.#policies);
    const window = this.#policies.windowOf(queue);
    const limits = this.#policies.of(queue)?.limits;
    return {
      token,
      concurrency,
      lockDuration: this.#lockDuration,
      ...(isRepeated && { isRepeated }),
      ...(limiter && { limiter }),
      ...(breaker && { hasBreaker: true }),
      ...(this.#worker.endpoint.steps === true && { wantsSteps: true }),
      ...(groups && { groups }),
      ...(limits && { limits }),
      ...(window && { openTime: openTimeOf(window) }),
    };
  }

  /** Repeats a claim, since the store may have given a job to its token in an answer that was lost. */
  repeat(token: string): void {
    this.#tokens.useAgain(token);
    this.#changed.notify();
  }

  /**
   * Caches the answer to a claim that was sent in `round`. Wakes waiters, since they may hold an outdated answer and
   * must claim earlier.
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
