import type { DeliveryOutcome, EndpointAnswer } from '../calls/delivery.ts';
import type { EndedCall } from './attempt-record.ts';

/** The outcome of a call. */
export interface Delivery {
  readonly outcome: DeliveryOutcome;
  readonly call: EndedCall;
  /** Absent when no answer came. */
  readonly answer?: EndpointAnswer;
}
