import { recordedResponse, withCost } from '../../domain/attempts/attempt-record.ts';
import {
  answerHeader,
  deliveryOutcome,
  type DeliveryOutcome,
} from '../../domain/calls/delivery.ts';
import type { Delivery } from '../../domain/attempts/made-call.ts';
import type { Cancellation } from '../../domain/calls/cancellation.ts';
import { SUSPENDS } from '../../domain/steps/suspend-answer.ts';
import { COST_HEADER, reportedCost } from '../../domain/queues/start-cost.ts';
import { EndpointCallError, type EndpointCall, type WebhookPort } from '../ports/webhook-port.ts';

/** Steps are no return value, and are read apart. */
const SAVES: DeliveryOutcome = { succeeded: true, returnvalue: null };

/**
 * Makes a call and decides whether the answer completes a job.
 *
 * @throws ReplicaShortageError when the call could not be made.
 */
export async function deliver(
  webhook: Pick<WebhookPort, 'call'>,
  call: EndpointCall,
  cancellation: Cancellation,
): Promise<Delivery> {
  try {
    const answer = await webhook.call(call, cancellation);
    const { status, body } = answer;
    const saves = call.endpoint.steps === true && status === SUSPENDS;
    const outcome = saves ? SAVES : deliveryOutcome(answer, call.endpoint);
    const response = recordedResponse(body);
    const cost = reportedCost(answerHeader(answer, COST_HEADER));
    if (!outcome.succeeded) {
      return { outcome, call: withCost({ outcome: 'failed', status, response }, cost), answer };
    }
    const { doubt } = outcome;
    const ended = { outcome: 'completed', status, response, ...(doubt && { doubt }) } as const;
    return { outcome, call: withCost(ended, cost), answer };
  } catch (error) {
    if (!(error instanceof EndpointCallError)) throw error;
    const { message, outcome, final } = error;
    return { outcome: { succeeded: false, reason: message, final }, call: { outcome } };
  }
}
