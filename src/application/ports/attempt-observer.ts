import type { FailedJob } from '../../domain/jobs/failures.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { BreakerMove } from '../../domain/attempts/breaker.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { Worker } from '../../domain/workers/worker.ts';
import type { Attempt, AttemptKey } from '../../domain/attempts/attempt.ts';
import type { AttemptEnding } from '../../domain/attempts/ending.ts';

/** How an attempt ended. `status` is that of the endpoint's answer, absent without one. */
export interface AttemptResult {
  readonly ending: AttemptEnding;
  readonly status?: number | undefined;
  /** Why the answer disables the worker; absent when it does not. */
  readonly disables?: string | undefined;
}

/** What happens to jobs and attempts on this replica, besides the queue in which it does, by kind. */
interface Happenings {
  /** An attempt begins: its job was claimed on this replica. */
  readonly started: { readonly attempt: Attempt };
  /** The result of an attempt is recorded. */
  readonly ended: {
    readonly attempt: Attempt;
    readonly worker: Worker;
    readonly result: AttemptResult;
    /** How long the call took, in milliseconds. */
    readonly duration: number;
    /** Whether this ending started a hold of the queue. */
    readonly beginsHold: boolean;
    /** How the result changed the breaker, if it did. */
    readonly breaker: BreakerMove | undefined;
    /** Whether another attempt shared the call, and counts it. */
    readonly sharesCall?: boolean;
  };
  /** The endpoint accepted the job for later completion: the call has ended, but the attempt has not. */
  readonly accepted: {
    readonly attempt: Attempt;
    /** How long the call took, in milliseconds. */
    readonly duration: number;
    /** Whether another attempt shared the call, and counts it. */
    readonly sharesCall?: boolean;
  };
  /**
   * An attempt ended by a report of its client or endpoint, or without a call: it did not end with a call of this
   * replica.
   */
  readonly reported: {
    readonly attempt: AttemptKey;
    readonly ending: AttemptEnding;
    /** Whether the reason quotes a client, and may therefore contain data that must not be logged. */
    readonly isQuoted: boolean;
    /** The job before the end of the attempt, if it is available; it is not read for this purpose. */
    readonly job: Job | undefined;
  };
  /** An attempt has lost its job to another holder: its result is ignored. */
  readonly lost: { readonly attempt: Attempt };
  /** The job of an attempt was cancelled, and its call ends. The duration (ms) counts from the claim of the job. */
  readonly cancelled: { readonly attempt: Attempt; readonly duration: number };
  /** A job went back to its queue because its attempt neither ended nor renewed its lock. */
  readonly stalled: { readonly jobId: string };
  /** Jobs were added on this replica, not counting jobs that already existed. */
  readonly added: { readonly jobs: number };
  /** Jobs failed for good on this replica other than by the end of an attempt: they were cancelled, or expired. */
  readonly failed: { readonly jobs: readonly FailedJob[] };
  /** Steps of a job were saved while an attempt held it. */
  readonly 'steps-saved': { readonly steps: number };
  /** This replica looks for jobs of the queue, for its endpoint or for a client. */
  readonly served: object;
  /** This replica no longer processes the queue. */
  readonly left: object;
}

type EventOf<Kind extends keyof Happenings> = Happenings[Kind] & {
  readonly kind: Kind;
  readonly queue: QueueName;
};

export type AttemptEnded = EventOf<'ended'>;
export type JobAccepted = EventOf<'accepted'>;
export type EndingReported = EventOf<'reported'>;
export type AttemptEvent = { [Kind in keyof Happenings]: EventOf<Kind> }[keyof Happenings];

/**
 * Observes the jobs and attempts of this replica, for the log, the metrics and the figures of calls. It is called for
 * every attempt, so it must be fast and must not throw.
 */
export interface AttemptObserver {
  /** Receives the event that has just happened. It ignores the kinds that do not concern it. */
  observe(event: AttemptEvent): void;
}
