import { acceptedFor } from '../../domain/attempts/acceptance.ts';
import { Cancellation } from '../../domain/calls/cancellation.ts';
import { shownHeaders } from '../../domain/calls/called-secrets.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import {
  ReplicaShortageError,
  type DescribedCall,
  type EndpointCall,
  type WebhookPort,
} from '../ports/webhook-port.ts';
import { deliver, type Delivery } from './deliver.ts';

/** The result of a test call. */
export interface TestCallReport {
  /** The call, with header values hidden that may be secrets. */
  readonly request: DescribedCall;
  /** The outcome of an attempt; `accepted` for a job that the endpoint would complete later. */
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** The first kB of the answer. */
  readonly response: string | null;
  /** Why it failed, or what was wrong with an answer that completes jobs. */
  readonly reason: string | null;
}

/**
 * Makes a call once, for somebody who waits for its result, and reports how it went.
 *
 * @param registered the headers of the endpoint that may hold secrets.
 */
export async function testCall(
  tested: EndpointCall,
  registered: Endpoint['headers'],
  { webhook, clock }: { readonly webhook: WebhookPort; readonly clock: ClockPort },
): Promise<TestCallReport> {
  const described = webhook.describe(tested);
  const startedAt = clock.now();
  const { call, outcome, answer } = await delivered(webhook, tested);
  const isAccepted = answer !== undefined && acceptedFor(tested.endpoint, answer) !== undefined;
  return {
    request: { ...described, headers: shownHeaders(described.headers, registered) },
    outcome: isAccepted ? 'accepted' : call.outcome,
    status: call.status ?? null,
    durationMs: Math.max(0, Math.round(clock.now() - startedAt)),
    response: call.response ?? null,
    reason: outcome.succeeded ? (call.doubt ?? null) : isAccepted ? null : outcome.reason,
  };
}

/** For the client of the test, a call that this replica could not make counts as a refused connection. */
async function delivered(webhook: WebhookPort, call: EndpointCall): Promise<Delivery> {
  try {
    return await deliver(webhook, call, new Cancellation());
  } catch (error) {
    if (!(error instanceof ReplicaShortageError)) throw error;
    const outcome = { succeeded: false, reason: error.message, final: false } as const;
    return { outcome, call: { outcome: 'refused' } };
  }
}
