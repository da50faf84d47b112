import type { Job } from '../../domain/jobs/job.ts';
import type { BreakerMove } from '../../domain/attempts/breaker.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { Attempt, AttemptKey } from '../../domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../domain/attempts/ending.ts';

/** How an attempt ended. `status` is that of the endpoint's answer, absent without an answer. */
export interface AttemptResult {
  readonly ending: AttemptEnding;
  readonly status?: number | undefined;
  /** Why the answer disables the worker; absent when it does not. */
  readonly disables?: string | undefined;
}

/** An attempt whose result was recorded. */
export interface EndedAttempt {
  readonly attempt: Attempt;
  readonly worker: Worker;
  readonly result: AttemptResult;
  /** How long the call took, in milliseconds. */
  readonly duration: number;
  /** Whether this ending began a hold of its queue. */
  readonly beginsHold?: boolean;
  /** The move of the breaker that the result caused, if any. */
  readonly breaker?: BreakerMove | undefined;
}

/** An attempt that ended by a report of its client or endpoint, not by a call of this replica. */
export interface ReportedEnding {
  readonly queue: QueueName;
  readonly attempt: AttemptKey;
  readonly ending: AttemptEnding;
  /** Whether the reason quotes a client, and may contain data that must not be logged. */
  readonly isQuoted?: boolean;
  /** The job before the end of the attempt, if it is at hand: it is not read for this. */
  readonly job?: Job | undefined;
}

/**
 * Observes the attempts of this replica, for the log, the metrics and the figures of calls. It is
 * called for every attempt: it must be quick, and must not throw.
 */
export interface AttemptObserver {
  /** An attempt begins: its job was claimed here. */
  started(queue: QueueName, attempt: Attempt): void;

  /** The result of an attempt is recorded. */
  ended(ended: EndedAttempt): void;

  /** The endpoint accepted the job to complete it later: the call ended after `duration` ms, the attempt did not. */
  accepted(queue: QueueName, attempt: Attempt, duration: number): void;

  /** The end of an attempt is recorded that no call returned. */
  reported(ended: ReportedEnding): void;

  /** An attempt has lost its job to another holder: its result is ignored. */
  lost(queue: QueueName, attempt: Attempt): void;

  /** The job of an attempt was cancelled, `duration` ms after it was claimed; its call ends. */
  cancelled(queue: QueueName, attempt: Attempt, duration: number): void;

  /** A job went back to its queue, since its attempt neither ended nor renewed its lock. */
  stalled(queue: QueueName, jobId: string): void;

  /** This replica no longer processes the queue. */
  left(queue: QueueName): void;
}
