import { answerHeader, type EndpointAnswer } from './delivery.ts';

/** What an endpoint may say of the deliveries to come, by the `webhook-delivery` of its answer. */
export type DeliveryOrder = 'abort-message' | 'disable';

/** Whether the answer gives that order, maybe beside others. */
export function givesOrder(
  answer: Pick<EndpointAnswer, 'headers'>,
  wanted: DeliveryOrder,
): boolean {
  const value = answerHeader(answer, 'webhook-delivery');
  return value?.split(',').some((order) => order.trim().toLowerCase() === wanted) ?? false;
}
