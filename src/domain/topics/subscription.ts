import { destinationShape } from '../calls/destination.ts';
import { jobOptionsShape } from '../jobs/job-options.ts';
import { jobInputShape, type JobInput } from '../jobs/job.ts';
import { shownOptions } from '../jobs/shown-options.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { plainName } from '../values/plain-name.ts';
import {
  boolean,
  bounded,
  listOf,
  object,
  oneOf,
  optional,
  required,
  type Shape,
  type Shaped,
} from '../values/shape.ts';
import { filterShape } from './filter.ts';

/** How many topics there are at most, and how many subscriptions of each. */
export const MOST_TOPICS = 1000;
export const MOST_SUBSCRIPTIONS = 1000;

/** How many messages a call publishes at most, and to how many queues it adds. */
export const MOST_MESSAGES = 100;
export const MOST_TOPIC_QUEUES = 100;

/** The names of a topic and of a subscription, as a client chooses them. */
export const topicName = plainName('orders');
export const subscriptionName = plainName('billing');

/** What a client says of a subscription. */
export const subscriptionFields = {
  filter: optional(filterShape, 'Which messages it gets: all unless given'),
  opts: optional(jobOptionsShape, 'Options of its jobs, which win over those of the message'),
  endpoint: optional(destinationShape, 'Where its jobs are called, as `opts.endpoint` has it'),
  onFull: optional(
    oneOf('refuse', 'skip'),
    'The effect of a full queue on a message: the whole call is refused (unless given), or this subscription is skipped',
  ),
  paused: optional(boolean, 'Whether messages skip it'),
};

/** The shape of subscriptions (further contract, section 23, "Topics"), to be created once. */
export function subscriptionShape(queueName: Shape<QueueName>) {
  return object('Subscription', {
    queue: required(queueName, 'The queue that gets a job for each message'),
    ...subscriptionFields,
  });
}

export type SubscriptionInput = Shaped<ReturnType<typeof subscriptionShape>>;

/** A subscription as it is stored: with header values of its options encrypted. */
export type Subscription = SubscriptionInput &
  Required<Pick<SubscriptionInput, 'onFull' | 'paused'>> & { readonly id: string };

/** A subscription as it may be shown: without values of headers. */
export function shownSubscription({ opts, ...subscription }: Subscription): Subscription {
  return { ...shownOptions(subscription), ...(opts && { opts: shownOptions(opts) }) };
}

const messagesShape = bounded(MOST_MESSAGES, listOf(jobInputShape));

/** A message, which becomes a job of each subscription that it matches, or several. */
export const publishedShape: Shape<JobInput | readonly JobInput[]> = {
  must: jobInputShape.must,
  accepts: (value): value is JobInput | readonly JobInput[] => chosen(value).accepts(value),
  schema: { anyOf: [jobInputShape.schema, messagesShape.schema] },
  parts: {
    kind: 'either',
    shapes: [jobInputShape, messagesShape],
    choose: (value) => {
      const shape = chosen(value);
      return shape.parts?.kind === 'either' ? shape.parts.choose(value) : shape;
    },
  },
};

function chosen(value: unknown): typeof jobInputShape | typeof messagesShape {
  return Array.isArray(value) ? messagesShape : jobInputShape;
}
