import type { QueueName } from '../../domain/queue-name.ts';
import type { Worker } from '../../domain/worker.ts';
import type { Attempt, AttemptEnding } from './attempt-port.ts';

/** How an attempt ended. `status` is that of the endpoint's answer, absent when there was none. */
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
}

/**
 * Whoever keeps account of attempts on this replica, such as the log and the metrics. It is called for every
 * attempt: it must be quick, and must not throw.
 */
export interface AttemptObserver {
  /** An attempt begins: its job was claimed here. */
  started(queue: QueueName, attempt: Attempt): void;

  /** The result of an attempt is recorded. */
  ended(ended: EndedAttempt): void;

  /** An attempt has lost its job to somebody else: whatever it comes to counts for nothing. */
  lost(queue: QueueName, attempt: Attempt): void;

  /** The job of an attempt was cancelled, `duration` ms after it was claimed; its call ends. */
  cancelled(queue: QueueName, attempt: Attempt, duration: number): void;

  /** A job went back to its queue, since its attempt neither ended nor renewed its lock. */
  stalled(queue: QueueName, jobId: string): void;

  /** This replica processes the queue no more. */
  left(queue: QueueName): void;
}
