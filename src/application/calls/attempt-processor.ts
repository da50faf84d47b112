import type { Attempt } from '../../domain/attempts/attempt.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { TracingPort } from '../ports/tracing-port.ts';
import { ReplicaShortageError, type WebhookPort } from '../ports/webhook-port.ts';
import {
  AttemptRecording,
  endingOfDefect,
  type ConsumerParts,
  type RecordingDependencies,
} from './attempt-recording.ts';
import { runAttempt, type AttemptRun, type MakeAttempt } from './attempt-runner.ts';
import { endLostCall } from './lost-attempts.ts';

export interface ProcessingDependencies extends RecordingDependencies {
  readonly webhook: WebhookPort;
  /** Absent when nothing is traced. */
  readonly tracing?: TracingPort | undefined;
  /** Reads answers that suspend jobs; absent where none does. */
  readonly suspensions?: AttemptRun['suspensions'];
  /** Reads what was saved during a call that is sent once more; absent where nothing is. */
  readonly steps?: AttemptRun['steps'];
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
    const { webhook, clock, tracing, capacity, observer, suspensions, steps } = this.#dependencies;
    const { makeAttempt = runAttempt } = this.#dependencies;
    const { worker } = claims;
    const cancellation = running.add(attempt);
    observer.observe({ kind: 'started', queue: worker.queue, attempt });
    const startedAt = clock.now();
    try {
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
        await this.#putBack(attempt, error);
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

  /** The call was never made, so the job goes back as if it had not been claimed. */
  async #putBack(attempt: Attempt, { message }: ReplicaShortageError): Promise<void> {
    const { capacity } = this.#dependencies;
    capacity.ranShort(message);
    try {
      await this.#recording.putBack(attempt);
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
