import { jobOptionFields } from '../../../domain/jobs/job-options.ts';
import {
  subscriptionFields,
  subscriptionName,
  type Subscription,
} from '../../../domain/topics/subscription.ts';
import { object, optional, required, string, type Field } from '../../../domain/values/shape.ts';
import { loosenedFields } from './loosened.ts';

const { opts, onFull, paused } = subscriptionFields;

/** A subscription as it is answered. */
export const subscriptionAnswer = object('Subscription', {
  id: required(subscriptionName, 'Its id'),
  queue: required(string, 'The queue that gets a job for each message'),
  ...subscriptionFields,
  opts: optional(object('SubscriptionOptions', loosenedFields(jobOptionFields)), opts.description),
  onFull: required(onFull.shape, 'The effect of a full queue on a message'),
  paused: required(paused.shape, paused.description),
} as const satisfies Record<keyof Subscription, Field>);
