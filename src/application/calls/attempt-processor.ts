import type { Attempt } from '../../domain/attempts/attempt.ts';
import { attemptFailed } from '../../domain/attempts/ending.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { AttemptObserver } from '../ports/attempt-observer.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { TracingPort } from '../ports/tracing-port.ts';
import { ReplicaShortageError, type WebhookPort } from '../ports/webhook-port.ts';
import {
  AttemptRecording,
  type ConsumerParts,
  type RecordingDependencies,
} from './attempt-recording.ts';
import { runAttempt, type MakeAttempt } from './attempt-runner.ts';
import type { CallCapacity } from './call-capacity.ts';
import type { LostAttempts } from './lost-attempts.ts';
import type { RunningAttempts } from './running-attempts.ts';
import type { WorkerClaims } from './worker-claims.ts';

export interface ProcessingDependencies extends RecordingDependencies {
  readonly webhook: WebhookPort;
  readonly logger: LoggerPort;
  /** Absent when nothing is traced. */
  readonly tracing?: TracingPort | undefined;
  /** How an attempt is made: by a call for its job unless given. */
  readonly makeAttempt?: MakeAttempt;
  /**
   * Disables a registration of a worker on all replicas; a newer registration is left alone. Resolves once this replica
   * has applied the change.
   *
   * @throws DomainError `store-unavailable`.
   */
  readonly disable: (worker: Worker, reason: string) => Promise<void>;
}

/** Processes the attempts of one consumer: calls the endpoint and records the outcome. */
export class AttemptProcessor {
  readonly #webhook: WebhookPort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  readonly #tracing: TracingPort | undefined;
  readonly #observer: AttemptObserver;
  readonly #capacity: CallCapacity;
  readonly #makeAttempt: MakeAttempt;
  readonly #disable: ProcessingDependencies['disable'];
  readonly #claims: WorkerClaims;
  readonly #running: RunningAttempts;
  readonly #lost: LostAttempts;
  readonly #recording: AttemptRecording;

  constructor(parts: ConsumerParts, dependencies: ProcessingDependencies) {
    this.#claims = parts.claims;
    this.#running = parts.running;
    this.#lost = parts.lost;
    this.#webhook = dependencies.webhook;
    this.#clock = dependencies.clock;
    this.#logger = dependencies.logger;
    this.#tracing = dependencies.tracing;
    this.#observer = dependencies.observer;
    this.#capacity = dependencies.capacity;
    this.#makeAttempt = dependencies.makeAttempt ?? runAttempt;
    this.#disable = dependencies.disable;
    this.#recording = new AttemptRecording(parts, dependencies);
  }

  /** Never rejects. @returns the attempt that was claimed for the same slot when this one was recorded, if any. */
  async process(attempt: Attempt): Promise<Attempt | undefined> {
    const { worker } = this.#claims;
    const cancellation = this.#running.add(attempt);
    this.#observer.observe({ kind: 'started', queue: this.#queue, attempt });
    const startedAt = this.#clock.now();
    try {
      if (this.#running.isLate(attempt) && !(await this.#running.holds(attempt))) return undefined;
      const result = await this.#makeAttempt({
        webhook: this.#webhook,
        worker,
        attempt,
        cancellation,
        clock: this.#clock,
        tracing: this.#tracing,
      });
      this.#capacity.succeeded();
      if ('acceptedFor' in result) {
        const duration = this.#clock.now() - startedAt;
        await this.#recording.leaveToEndpoint(attempt, result.acceptedFor, duration);
        return undefined;
      }
      if (result.disables !== undefined) await this.#disableFor(attempt, worker, result.disables);
      const duration = this.#clock.now() - startedAt;
      return await this.#recording.end({ attempt, worker, result, duration });
    } catch (error) {
      if (error instanceof ReplicaShortageError) {
        await this.#putBack(attempt, error);
        return undefined;
      }
      return await this.#failFor(error, attempt, worker, this.#clock.now() - startedAt);
    } finally {
      if (this.#running.hasLost(attempt)) this.#lost.endCall(attempt);
      this.#running.remove(attempt);
    }
  }

  get #queue(): QueueName {
    return this.#claims.worker.queue;
  }

  /** Disables the worker before the attempt is recorded, so that no other job is claimed first. */
  async #disableFor(attempt: Attempt, worker: Worker, reason: string): Promise<void> {
    try {
      await this.#recording.whileHeld(attempt, () => this.#disable(worker, reason));
    } catch (error) {
      this.#logger.error('A worker could not be disabled', { queue: this.#queue, reason, error });
    }
  }

  /** The call was never made, so the job goes back as if it had not been claimed. */
  async #putBack(attempt: Attempt, { message }: ReplicaShortageError): Promise<void> {
    this.#capacity.ranShort(message);
    try {
      await this.#recording.putBack(attempt);
    } catch (error) {
      const facts = { queue: this.#queue, job: attempt.jobId };
      this.#logger.error('A job could not be put back', { ...facts, error });
    }
  }

  /**
   * An attempt with an unexpected error fails. Otherwise its job would stall and its endpoint would be called again. If
   * not even the failure can be recorded, the lock expires, as when a replica dies.
   */
  async #failFor(
    error: unknown,
    attempt: Attempt,
    worker: Worker,
    duration: number,
  ): Promise<Attempt | undefined> {
    const facts = { queue: this.#queue, job: attempt.jobId };
    this.#logger.error('An attempt ended in an unexpected error', { ...facts, error });
    const reason = `Unexpected error: ${error instanceof Error ? error.name : 'unknown'}`;
    const keep = worker.opts?.removeOnFail;
    try {
      const call = { outcome: 'failed' } as const;
      const ending = attemptFailed(keep, attempt, reason, call, this.#clock.now());
      return await this.#recording.end({ attempt, worker, result: { ending }, duration });
    } catch {
      return undefined;
    }
  }
}
