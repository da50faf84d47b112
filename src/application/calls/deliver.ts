import { recordedResponse, type EndedCall } from '../../domain/attempts/attempt-record.ts';
import {
  deliveryOutcome,
  type DeliveryOutcome,
  type EndpointAnswer,
} from '../../domain/calls/delivery.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import { EndpointCallError, type WebhookPort } from '../ports/webhook-port.ts';

/** The outcome of a call. */
export interface Delivery {
  readonly outcome: DeliveryOutcome;
  readonly call: EndedCall;
  /** Absent when no answer came. */
  readonly answer?: EndpointAnswer;
}

/**
 * Makes a call and decides whether the answer completes a job.
 *
 * @throws ReplicaShortageError when the call could not be made.
 */
export async function deliver(
  endpoint: Endpoint,
  makeCall: () => ReturnType<WebhookPort['call']>,
): Promise<Delivery> {
  try {
    const answer = await makeCall();
    const outcome = deliveryOutcome(answer, endpoint);
    const { status, body } = answer;
    const response = recordedResponse(body);
    if (!outcome.succeeded)
      return { outcome, call: { outcome: 'failed', status, response }, answer };
    const { doubt } = outcome;
    const call = { outcome: 'completed', status, response, ...(doubt && { doubt }) } as const;
    return { outcome, call, answer };
  } catch (error) {
    if (!(error instanceof EndpointCallError)) throw error;
    const { message, outcome, final } = error;
    return { outcome: { succeeded: false, reason: message, final }, call: { outcome } };
  }
}
