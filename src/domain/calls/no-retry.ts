import { answerHeader, type EndpointAnswer } from './delivery.ts';
import { givesOrder } from './delivery-order.ts';

/** Whether an answer that fails the attempt says that further ones are of no use. */
export function forbidsRetry(answer: Pick<EndpointAnswer, 'headers'>): boolean {
  const noRetry = answerHeader(answer, 'jobgate-no-retry')?.trim().toLowerCase();
  return noRetry === 'true' || givesOrder(answer, 'abort-message');
}
