import type { Attempt } from '../../domain/attempts/attempt.ts';
import { verdictOn } from '../../domain/attempts/breaker.ts';
import type { ClaimRequest } from '../../domain/attempts/claim.ts';
import {
  attemptFailed,
  suspensionRefused,
  type AttemptEnding,
  type Settled,
} from '../../domain/attempts/ending.ts';
import { destinationOf } from '../../domain/calls/destination.ts';
import type { SuspensionRefusal } from '../../domain/steps/suspension-request.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { AttemptEnded } from '../ports/attempt-observer.ts';
import { untilStoreAnswers } from '../running/until-store-answers.ts';
import type { CallCapacity } from './call-capacity.ts';
import { endLostCall } from './lost-attempts.ts';
import type { RunningAttempts, RunningDependencies } from './running-attempts.ts';
import type { WorkerClaims } from './worker-claims.ts';

export interface RecordingDependencies extends Omit<
  RunningDependencies,
  'lockDuration' | 'renewalInterval'
> {
  /** Shared by all consumers of the replica. */
  readonly capacity: CallCapacity;
  /** Notifies all replicas that the breaker of a queue closed. */
  readonly notifyClosed: (queue: QueueName) => void;
  /**
   * Disables a registration of a worker on all replicas; a newer registration is left alone. Resolves once this replica
   * has applied the change.
   *
   * @throws DomainError `store-unavailable`.
   */
  readonly disable: (worker: Worker, reason: string) => Promise<void>;
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
}

/**
 * Records the outcomes of the attempts of one consumer. Since the endpoint has done its work, each method keeps trying
 * while the store is away, until the attempt is given up or loses its job.
 */
export class AttemptRecording {
  readonly #parts: ConsumerParts;
  readonly #dependencies: RecordingDependencies;

  constructor(parts: ConsumerParts, dependencies: RecordingDependencies) {
    this.#parts = parts;
    this.#dependencies = dependencies;
  }

  /** Records the end of an attempt. @returns the attempt that was claimed for its slot in the same step, if any. */
  end(outcome: AttemptOutcome): Promise<Attempt | undefined> {
    const { attempt, worker, result, duration, inBatch } = outcome;
    const { claims, running } = this.#parts;
    const { attempts, observer, notifyClosed } = this.#dependencies;
    const token = claims.drawToken();
    let mayHaveClaimed = false;
    running.beginEnding(attempt);
    return this.#whileHeld(attempt, async (isRepeated) => {
      const { round } = claims;
      const claimsNext = inBatch === undefined && this.#mayClaimNext;
      mayHaveClaimed ||= claimsNext;
      const ending =
        inBatch === 'shares' ? result.ending : this.#judged(attempt, result.ending, worker);
      const settle = (next?: ClaimRequest): Promise<Settled> =>
        attempts.settle(this.#queue, attempt, ending, next);
      const settled = await (claimsNext ? claims.start(token, settle) : settle());
      if (settled.refusal !== undefined) return this.end(this.#refused(outcome, settled.refusal));
      if (settled.breaker === 'closed') notifyClosed(this.#queue);
      // When this is repeated after a lost answer, the store already has the ending.
      if (settled.held || isRepeated) {
        const { beginsHold = false, breaker } = settled;
        observer.observe({
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
      if (settled.next !== undefined) claims.update(settled.next, round);
      else if (mayHaveClaimed) claims.repeat(token);
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
    const { running } = this.#parts;
    const { holders, observer } = this.#dependencies;
    running.endRenewal(attempt);
    running.beginEnding(attempt);
    await this.#whileHeld(attempt, async () => {
      if (await holders.accept(this.#queue, attempt, bound)) {
        const accepted = {
          queue: this.#queue,
          attempt,
          duration,
          ...(sharesCall && { sharesCall }),
        };
        observer.observe({ kind: 'accepted', ...accepted });
      } else this.#cameTooLate(attempt);
    });
  }

  /**
   * Puts a job back when its call was never made, as if it had not been claimed.
   *
   * @param delay for how many milliseconds it rests; no limiter counts its start then.
   */
  async putBack(attempt: Attempt, delay?: number): Promise<void> {
    this.#parts.running.beginEnding(attempt);
    await this.#whileHeld(attempt, () =>
      this.#dependencies.attempts.release(this.#queue, attempt, delay !== undefined, delay),
    );
  }

  /** Disables the worker before the attempt is recorded, so that no other job is claimed first. */
  async disable(attempt: Attempt, worker: Worker, reason: string): Promise<void> {
    const { disable, logger } = this.#dependencies;
    try {
      await this.#whileHeld(attempt, () => disable(worker, reason));
    } catch (error) {
      logger.error('A worker could not be disabled', { queue: this.#queue, reason, error });
    }
  }

  /** Repeats the work while the store is away and the attempt still holds its job. */
  #whileHeld<T>(
    attempt: Attempt,
    work: (isRepeated: boolean) => Promise<T>,
  ): Promise<T | undefined> {
    return untilStoreAnswers(
      this.#dependencies.clock,
      () => this.#parts.running.has(attempt),
      work,
    );
  }

  /** The store has just answered that the attempt lost its job. */
  #cameTooLate(attempt: Attempt): void {
    void endLostCall(this.#dependencies, this.#queue, attempt);
    void this.#parts.running.lostAtEnd(attempt);
  }

  get #queue(): QueueName {
    return this.#parts.claims.worker.queue;
  }

  get #mayClaimNext(): boolean {
    const { claims, running } = this.#parts;
    // A job that goes alone leaves its place to a call for several.
    if (claims.worker.opts?.batch !== undefined) return false;
    return this.#dependencies.capacity.allowsNext && claims.allows(running.size - 1);
  }

  /** The outcome of an attempt whose suspension was refused: it fails. */
  #refused(outcome: AttemptOutcome, refusal: SuspensionRefusal): AttemptOutcome {
    const { attempt, worker, result } = outcome;
    const { call } = result.ending;
    const now = this.#dependencies.clock.now();
    const ending = suspensionRefused(worker.opts?.removeOnFail, attempt, refusal, call, now);
    return { ...outcome, result: { ...result, ending } };
  }

  /** Calls under an earlier registration are no evidence about the current endpoint, nor are those of destinations. */
  #judged({ job }: Attempt, ending: AttemptEnding, { opts, registration }: Worker): AttemptEnding {
    if (ending.kind === 'deferred' || ending.call === undefined) return ending;
    if (destinationOf(job.opts) !== undefined) return ending;
    const isCurrent = registration === this.#parts.claims.worker.registration;
    if (opts?.breaker === undefined || !isCurrent) return ending;
    const reason = 'reason' in ending ? ending.reason : '';
    return { ...ending, verdict: verdictOn(ending.call, reason, opts.breaker) };
  }

  /** Puts back a job that was claimed before the stop but arrived after it. */
  async #unlessStopped(attempt: Attempt): Promise<Attempt | undefined> {
    if (!this.#parts.claims.isStopped) return attempt;
    await this.#release(attempt);
    return undefined;
  }

  #release(attempt: Attempt): Promise<void> {
    return this.#dependencies.attempts.release(this.#queue, attempt);
  }
}

/** The ending of an attempt that failed by a defect. Otherwise its job would stall and its endpoint be called again. */
export function endingOfDefect(
  error: unknown,
  attempt: Attempt,
  { opts }: Worker,
  now: number,
): AttemptEnding {
  const reason = `Unexpected error: ${error instanceof Error ? error.name : 'unknown'}`;
  return attemptFailed(opts?.removeOnFail, attempt, reason, { outcome: 'failed' }, now);
}
