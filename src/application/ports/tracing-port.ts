import type { Attempt, AttemptKey } from '../../domain/attempts/attempt.ts';
import type { EndedCall, TakenAttempt } from '../../domain/attempts/attempt-record.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptObserver } from './attempt-observer.ts';

/** The position in a trace that a request continues, in the headers of W3C Trace Context. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** The span of an add. */
export interface AddSpan {
  /** The trace context of the add, as its jobs store it in their option `tm`. */
  readonly carrier: string;

  /** @param error why nothing was added; undefined on success. */
  end(error?: unknown): void;
}

/** The span of a call to an endpoint. */
export interface CallSpan {
  /** The trace headers of the call. */
  readonly context: TraceContext;
  /** The trace of the attempt; undefined when it is not recorded. */
  readonly traceId: string | undefined;

  /** @param call the outcome; undefined when the call was not made. */
  end(call: EndedCall | undefined): void;
}

/** How many spans were exported or lost. */
export interface SpanCounts {
  readonly exported: number;
  readonly dropped: number;
}

/**
 * Traces adds, attempts and calls (platform contract, section 16). It creates the spans of attempts from the events
 * that it observes. No method throws, and none waits.
 */
export interface TracingPort extends AttemptObserver {
  /** The counts so far. */
  counts(): SpanCounts;

  /**
   * Begins the span of an add of this many jobs.
   *
   * @param context the trace of the request, if it has one.
   */
  add(queue: QueueName, jobs: number, context: TraceContext | undefined): AddSpan;

  call(attempt: Attempt, url: string): CallSpan;

  /** The trace of an attempt whose end was reported; undefined when it is not recorded. */
  traceIdOf(attempt: AttemptKey, job: Job): string | undefined;

  /**
   * The trace of an attempt that lost its job, assuming that tracing was configured then as it is now; undefined when
   * it is not recorded.
   *
   * @param carrier what the job stores of its add, in its option `tm`.
   */
  traceIdOfTaken(taken: TakenAttempt, carrier: string | undefined): string | undefined;
}
