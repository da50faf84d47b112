import type { Attempt, AttemptKey } from '../../domain/attempts/attempt.ts';
import type { EndedCall, TakenAttempt } from '../../domain/attempts/attempt-record.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { AttemptObserver } from './attempt-observer.ts';

/** The place in a trace that a request continues, as the headers of W3C Trace Context carry it. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
}

/** The span of an add. */
export interface AddSpan {
  /** What its jobs keep of it, as their option `tm`. */
  readonly carrier: string;

  /** @param error why nothing was added; undefined when it was. */
  end(error?: unknown): void;
}

/** The span of a call to an endpoint. */
export interface CallSpan {
  /** What the call carries to the endpoint. */
  readonly context: TraceContext;
  /** The trace of the attempt; undefined when it is not recorded. */
  readonly traceId: string | undefined;

  /** @param call how it came out; undefined when it was not made. */
  end(call: EndedCall | undefined): void;
}

/** How many spans of traces became what. */
export interface SpanCounts {
  readonly exported: number;
  readonly dropped: number;
}

/**
 * Traces adds, attempts and calls (platform contract, section 16). It makes the spans of attempts of what it observes.
 * No method throws, and none waits.
 */
export interface TracingPort extends AttemptObserver {
  /** So far. */
  counts(): SpanCounts;

  /**
   * Begins the span of an add of so many jobs.
   *
   * @param context of the request, if it has one.
   */
  add(queue: QueueName, jobs: number, context: TraceContext | undefined): AddSpan;

  call(attempt: Attempt, url: string): CallSpan;

  /** The trace of an attempt whose end is reported; undefined when it is not recorded. */
  traceIdOf(attempt: AttemptKey, job: Job): string | undefined;

  /**
   * The trace of an attempt whose holder lost the job, if it was traced as attempts are now; undefined when it is not
   * recorded.
   *
   * @param carrier what the job keeps of its add, as its option `tm`.
   */
  traceIdOfTaken(taken: TakenAttempt, carrier: string | undefined): string | undefined;
}
