import type { Attempt } from '../../domain/attempts/attempt.ts';
import { verdictOn } from '../../domain/attempts/breaker.ts';
import type { ClaimRequest } from '../../domain/attempts/claim.ts';
import type { AttemptEnding, Settled } from '../../domain/attempts/ending.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { AttemptEnded, AttemptObserver } from '../ports/attempt-observer.ts';
import type { AttemptEnginePort } from '../ports/attempt-engine-port.ts';
import type { AttemptHolderPort } from '../ports/attempt-holder-port.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';
import type { CallCapacity } from './call-capacity.ts';
import type { LostAttempts } from './lost-attempts.ts';
import type { RunningAttempts } from './running-attempts.ts';
import type { WorkerClaims } from './worker-claims.ts';

export interface RecordingDependencies {
  readonly attempts: AttemptEnginePort;
  readonly holders: AttemptHolderPort;
  readonly clock: ClockPort;
  readonly observer: AttemptObserver;
  /** Shared by all consumers of the replica. */
  readonly capacity: CallCapacity;
  /** Notifies all replicas that the breaker of a queue closed. */
  readonly notifyClosed: (queue: QueueName) => void;
}

/** The outcome of an attempt, before it is recorded. */
export type AttemptOutcome = Pick<AttemptEnded, 'attempt' | 'worker' | 'result' | 'duration'> & {
  /**
   * How an attempt takes part in a call for several jobs: exactly one attempt counts the call and judges the endpoint.
   * No job is claimed in the place of such an attempt.
   */
  readonly inBatch?: 'counts' | 'shares';
};

/** The parts of a consumer that handle its attempts. */
export interface ConsumerParts {
  readonly claims: WorkerClaims;
  readonly running: RunningAttempts;
  readonly lost: LostAttempts;
}

/**
 * Records the outcomes of the attempts of one consumer. Since the endpoint has done its work, each method keeps trying
 * while the store is away, until the attempt is given up or loses its job.
 */
export class AttemptRecording {
  readonly #attempts: AttemptEnginePort;
  readonly #holders: AttemptHolderPort;
  readonly #clock: ClockPort;
  readonly #observer: AttemptObserver;
  readonly #capacity: CallCapacity;
  readonly #notifyClosed: RecordingDependencies['notifyClosed'];
  readonly #claims: WorkerClaims;
  readonly #running: RunningAttempts;
  readonly #lost: LostAttempts;

  constructor(parts: ConsumerParts, dependencies: RecordingDependencies) {
    this.#claims = parts.claims;
    this.#running = parts.running;
    this.#lost = parts.lost;
    this.#attempts = dependencies.attempts;
    this.#holders = dependencies.holders;
    this.#clock = dependencies.clock;
    this.#observer = dependencies.observer;
    this.#capacity = dependencies.capacity;
    this.#notifyClosed = dependencies.notifyClosed;
  }

  /** Records the end of an attempt. @returns the attempt that was claimed for its slot in the same step, if any. */
  end(outcome: AttemptOutcome): Promise<Attempt | undefined> {
    const { attempt, worker, result, duration, inBatch } = outcome;
    const token = this.#claims.drawToken();
    let mayHaveClaimed = false;
    this.#running.beginEnding(attempt);
    return this.whileHeld(attempt, async (isRepeated) => {
      const { round } = this.#claims;
      const claimsNext = inBatch === undefined && this.#mayClaimNext;
      mayHaveClaimed ||= claimsNext;
      const ending = inBatch === 'shares' ? result.ending : this.#judged(result.ending, worker);
      const settle = (next?: ClaimRequest): Promise<Settled> =>
        this.#attempts.settle(this.#queue, attempt, ending, next);
      const settled = await (claimsNext ? this.#claims.start(token, settle) : settle());
      if (settled.breaker === 'closed') this.#notifyClosed(this.#queue);
      // When this is repeated after a lost answer, the store already has the ending.
      if (settled.held || isRepeated) {
        const { beginsHold = false, breaker } = settled;
        this.#observer.observe({
          kind: 'ended',
          queue: this.#queue,
          attempt,
          worker,
          result,
          duration,
          beginsHold,
          breaker,
          ...(inBatch === 'shares' && { sharesCall: true }),
        });
      } else this.#cameTooLate(attempt);
      if (settled.next?.kind === 'attempt') return this.#unlessStopped(settled.next.attempt);
      if (isRepeated && !settled.held && mayHaveClaimed) this.#claims.repeat(token);
      else if (settled.next !== undefined) this.#claims.update(settled.next, round);
      return undefined;
    });
  }

  /**
   * Leaves a job to its endpoint, which now holds it for `bound` ms; this replica no longer tracks it.
   *
   * @param duration how long the call took, in milliseconds.
   */
  async leaveToEndpoint(
    attempt: Attempt,
    bound: number,
    duration: number,
    sharesCall = false,
  ): Promise<void> {
    this.#running.endRenewal(attempt);
    this.#running.beginEnding(attempt);
    await this.whileHeld(attempt, async () => {
      if (await this.#holders.accept(this.#queue, attempt, bound)) {
        const accepted = {
          queue: this.#queue,
          attempt,
          duration,
          ...(sharesCall && { sharesCall }),
        };
        this.#observer.observe({ kind: 'accepted', ...accepted });
      } else this.#cameTooLate(attempt);
    });
  }

  /** Puts a job back when its call was never made, as if it had not been claimed. */
  async putBack(attempt: Attempt): Promise<void> {
    this.#running.beginEnding(attempt);
    await this.whileHeld(attempt, () => this.#attempts.release(this.#queue, attempt));
  }

  /** Repeats the work while the store is away and the attempt still holds its job. */
  whileHeld<T>(
    attempt: Attempt,
    work: (isRepeated: boolean) => Promise<T>,
  ): Promise<T | undefined> {
    return untilStoreAnswers(this.#clock, () => this.#running.has(attempt), work);
  }

  /** The store has just answered that the attempt lost its job. */
  #cameTooLate(attempt: Attempt): void {
    this.#lost.endCall(attempt);
    void this.#running.lostAtEnd(attempt);
  }

  get #queue(): QueueName {
    return this.#claims.worker.queue;
  }

  get #mayClaimNext(): boolean {
    return this.#capacity.allowsNext && this.#claims.allows(this.#running.size - 1);
  }

  /** Calls under an earlier registration are no evidence about the current endpoint. */
  #judged(ending: AttemptEnding, { opts, registration }: Worker): AttemptEnding {
    if (ending.kind === 'deferred' || ending.call === undefined) return ending;
    const isCurrent = registration === this.#claims.worker.registration;
    if (opts?.breaker === undefined || !isCurrent) return ending;
    const reason = ending.kind === 'completed' ? '' : ending.reason;
    return { ...ending, verdict: verdictOn(ending.call, reason, opts.breaker) };
  }

  /** Puts back a job that was claimed before the stop but arrived after it. */
  async #unlessStopped(attempt: Attempt): Promise<Attempt | undefined> {
    if (!this.#claims.isStopped) return attempt;
    await this.#attempts.release(this.#queue, attempt);
    return undefined;
  }
}
