import { integer, nullable, oneOf, required, string, time, type Members } from '../values/shape.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;

/** What became of a message of a hook. */
export const hookDeliveryFields = {
  id: required(string, 'Its id'),
  type: required(string, 'The name of the event'),
  createdAt: required(time, 'When the message was made, in milliseconds since 1970'),
  state: required(oneOf(...DELIVERY_STATES), 'How far it has come'),
  attempts: required(integer(0), 'How many attempts were made'),
  lastStatus: required(
    nullable(integer(100)),
    'The status of the last answer; null when there was none',
  ),
  reason: required(nullable(string), 'Why the last attempt failed; null when it did not'),
  nextAt: required(
    nullable(time),
    'When the next attempt is due, in milliseconds since 1970; null when there is none',
  ),
  durationMs: required(
    nullable(integer(0)),
    'How many milliseconds the last attempt took; null before it',
  ),
};

export type HookDelivery = Members<typeof hookDeliveryFields>;
