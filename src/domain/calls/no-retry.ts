import { answerHeader, type EndpointAnswer } from './delivery.ts';
import { givesOrder } from './delivery-order.ts';

/** Whether a failed answer says that further attempts are pointless. */
export function forbidsRetry(answer: Pick<EndpointAnswer, 'headers'>): boolean {
  const noRetry = answerHeader(answer, 'jobgate-no-retry')?.trim().toLowerCase();
  return noRetry === 'true' || givesOrder(answer, 'abort-message');
}
