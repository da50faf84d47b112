import { acceptedFor } from '../../domain/attempts/acceptance.ts';
import { Cancellation } from '../../domain/calls/cancellation.ts';
import { shownHeaders } from '../../domain/calls/called-secrets.ts';
import type { EndpointAnswer } from '../../domain/calls/delivery.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import {
  object,
  required,
  mapOf,
  nullable,
  integer,
  optional,
  type Shaped,
  string,
} from '../../domain/values/shape.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import {
  ReplicaShortageError,
  type EndpointCall,
  type WebhookPort,
} from '../ports/webhook-port.ts';
import type { Delivery } from '../../domain/attempts/made-call.ts';
import { deliver } from './deliver.ts';

const request = object('TestRequest', {
  method: required(string, 'The method of the call'),
  url: required(string, 'Where it went'),
  headers: required(
    mapOf(string, string, 'be an object of names and values'),
    'Its headers; values that may be secrets are `[redacted]`',
  ),
  body: required(nullable(string), 'Its body as text; null without one'),
});

/** The result of a test call. */
export const testCallReportShape = object('WorkerTestReport', {
  request: required(request, 'The call as it was sent'),
  outcome: required(
    string,
    'The outcome that an attempt would have; `accepted` where the endpoint would complete the job later, `suspended` for a right 206',
  ),
  status: required(nullable(integer(100)), 'The status of the answer; null when there was none'),
  durationMs: required(integer(0), 'How many milliseconds the call took'),
  response: optional(
    nullable(string),
    'The first kB of the answer, null when there was none; only to tokens with the right `data`',
  ),
  reason: required(
    nullable(string),
    'Why it failed, or what was wrong with an answer that completes jobs; else null',
  ),
});

export type TestCallReport = Shaped<typeof testCallReportShape>;

/** Returns the mistake in an answer that suspends jobs, null when it has none; undefined for any other answer. */
export type JudgeSuspension = (answer: EndpointAnswer) => Promise<string | null | undefined>;

/**
 * Makes a call once, for somebody who waits for its result, and reports how it went.
 *
 * @param registered the headers of the endpoint that may hold secrets.
 * @param judge what suspends jobs, where an answer may.
 */
export async function testCall(
  tested: EndpointCall,
  registered: Endpoint['headers'],
  { webhook, clock }: { readonly webhook: WebhookPort; readonly clock: ClockPort },
  judge: JudgeSuspension = () => Promise.resolve(undefined),
): Promise<TestCallReport> {
  const described = webhook.describe(tested);
  const startedAt = clock.now();
  const { call, outcome, answer } = await delivered(webhook, tested);
  const isAccepted = answer !== undefined && acceptedFor(tested.endpoint, answer) !== undefined;
  const reason = outcome.succeeded ? (call.doubt ?? null) : isAccepted ? null : outcome.reason;
  const mistake = answer && (await judge(answer));
  const judged =
    mistake === undefined
      ? { outcome: isAccepted ? 'accepted' : call.outcome, reason }
      : { outcome: mistake === null ? 'suspended' : 'failed', reason: mistake };
  return {
    request: { ...described, headers: shownHeaders(described.headers, registered) },
    outcome: judged.outcome,
    status: call.status ?? null,
    durationMs: Math.max(0, Math.round(clock.now() - startedAt)),
    response: call.response ?? null,
    reason: judged.reason,
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
