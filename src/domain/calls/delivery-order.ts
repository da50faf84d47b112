import { answerHeader, type EndpointAnswer } from './delivery.ts';

/** What an endpoint may request for future deliveries, in the `webhook-delivery` header of its answer. */
export type DeliveryOrder = 'abort-message' | 'disable';

/** Whether the answer contains that order, possibly among others. */
export function givesOrder(
  answer: Pick<EndpointAnswer, 'headers'>,
  wanted: DeliveryOrder,
): boolean {
  const value = answerHeader(answer, 'webhook-delivery');
  return value?.split(',').some((order) => order.trim().toLowerCase() === wanted) ?? false;
}
