import { callTimeoutShape } from '../calls/call-timeout.ts';
import { answerHeader, type EndpointAnswer } from '../calls/delivery.ts';
import type { Endpoint } from '../calls/endpoint.ts';
import type { QueueName } from '../queues/queue-name.ts';
import type { Attempt } from './attempt.ts';

/** How long (ms) an endpoint may take to complete a job that it accepted, unless it says otherwise. */
export const DEFAULT_DEFER_TIMEOUT = 3_600_000;

/**
 * How long (ms) an endpoint that accepted a job may take to complete it later, with the job's token; undefined when the
 * answer itself decides what happens to the job. The answer takes precedence over the registration.
 */
export function acceptedFor(endpoint: Endpoint, answer: EndpointAnswer): number | undefined {
  if (answer.status !== 202 || endpoint.accepted !== 'defer') return undefined;
  const text = answerHeader(answer, 'jobgate-deadline')?.trim() ?? '';
  const asked = /^\d+$/.test(text) ? Number(text) : undefined;
  if (callTimeoutShape.accepts(asked)) return asked;
  return endpoint.deferTimeout ?? DEFAULT_DEFER_TIMEOUT;
}

/**
 * An attempt whose endpoint accepted the job but did not complete it within `bound` ms, or a received message whose
 * visibility timeout of so many ms is over. It still holds its job.
 */
export interface OverdueAttempt {
  readonly queue: QueueName;
  readonly attempt: Attempt;
  readonly bound: number;
  /** Whether a client received the job as a message. */
  readonly isReceived: boolean;
}

/** What a search for overdue attempts found. */
export interface OverdueSearch {
  readonly found: readonly OverdueAttempt[];
  /** When (epoch ms) another search may find more, past times included; absent when no attempt is accepted. */
  readonly nextAt?: number;
}

/** @param bound in milliseconds. */
export function overdueReason(bound: number): string {
  return `Endpoint did not complete within ${bound} ms`;
}
