import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { CallTerms, Destinations } from '../destinations/destinations.ts';
import { ReplicaShortageError } from '../ports/webhook-port.ts';
import {
  AttemptRecording,
  endingOfDefect,
  type ConsumerParts,
  type RecordingDependencies,
} from './attempt-recording.ts';
import { runAttempt, type AttemptRun, type MakeAttempt } from './attempt-runner.ts';
import { endLostCall } from './lost-attempts.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

export interface ProcessingDependencies
  extends RecordingDependencies, Pick<CommonPorts, 'webhook' | 'tracing'> {
  /** Reads answers that suspend jobs; absent where none does. */
  readonly suspensions?: AttemptRun['suspensions'];
  /** Reads what was saved during a call that is sent once more; absent where nothing is. */
  readonly steps?: AttemptRun['steps'];
  /** Shared by all consumers of the replica. Absent where every call goes to the endpoint of the worker. */
  readonly destinations?: Pick<Destinations, 'termsFor'>;
  /** How an attempt is made: by a call for its job unless given. */
  readonly makeAttempt?: MakeAttempt;
}

/** Processes the attempts of one consumer: calls the endpoint and records the outcome. */
export class AttemptProcessor {
  readonly #parts: ConsumerParts;
  readonly #dependencies: ProcessingDependencies;
  readonly #recording: AttemptRecording;

  constructor(parts: ConsumerParts, dependencies: ProcessingDependencies) {
    this.#parts = parts;
    this.#dependencies = dependencies;
    this.#recording = new AttemptRecording(parts, dependencies);
  }

  /** Never rejects. @returns the attempt that was claimed for the same slot when this one was recorded, if any. */
  async process(attempt: Attempt): Promise<Attempt | undefined> {
    const { claims, running } = this.#parts;
    const { clock, tracing, capacity, observer, suspensions, steps } = this.#dependencies;
    const { makeAttempt = runAttempt, destinations } = this.#dependencies;
    const usual: CallTerms = { worker: claims.worker, webhook: this.#dependencies.webhook };
    const { worker, webhook, putOff } = destinations?.termsFor(usual, attempt.job) ?? usual;
    const cancellation = running.add(attempt);
    const startedAt = clock.now();
    try {
      if (putOff !== undefined) {
        await this.#putBack(attempt, putOff);
        return undefined;
      }
      observer.observe({ kind: 'started', queue: worker.queue, attempt });
      if (running.isLate(attempt) && !(await running.holds(attempt))) return undefined;
      const run = { webhook, worker, attempt, cancellation, clock, tracing, suspensions, steps };
      const result = await makeAttempt(run);
      capacity.succeeded();
      if ('acceptedFor' in result) {
        const duration = clock.now() - startedAt;
        await this.#recording.leaveToEndpoint(attempt, result.acceptedFor, duration);
        return undefined;
      }
      if (result.disables !== undefined)
        await this.#recording.disable(attempt, worker, result.disables);
      const duration = clock.now() - startedAt;
      return await this.#recording.end({ attempt, worker, result, duration });
    } catch (error) {
      if (error instanceof ReplicaShortageError) {
        capacity.ranShort(error.message);
        await this.#putBack(attempt);
        return undefined;
      }
      return await this.#failFor(error, attempt, worker, clock.now() - startedAt);
    } finally {
      if (running.hasLost(attempt)) {
        void endLostCall(this.#dependencies, worker.queue, attempt);
      }
      running.remove(attempt);
    }
  }

  /** The call was never made, so the job goes back as if it had not been claimed, or is delayed (ms). */
  async #putBack(attempt: Attempt, delay?: number): Promise<void> {
    try {
      await this.#recording.putBack(attempt, delay);
    } catch (error) {
      this.#report('A job could not be put back', attempt, error);
    }
  }

  /**
   * An attempt with an unexpected error fails. If not even the failure can be recorded, the lock expires, as when a
   * replica dies.
   */
  async #failFor(
    error: unknown,
    attempt: Attempt,
    worker: Worker,
    duration: number,
  ): Promise<Attempt | undefined> {
    this.#report('An attempt ended in an unexpected error', attempt, error);
    try {
      const ending = endingOfDefect(error, attempt, worker, this.#dependencies.clock.now());
      return await this.#recording.end({ attempt, worker, result: { ending }, duration });
    } catch {
      return undefined;
    }
  }

  #report(line: string, { jobId: job }: Attempt, error: unknown): void {
    const { queue } = this.#parts.claims.worker;
    this.#dependencies.logger.error(line, { queue, job, error });
  }
}
