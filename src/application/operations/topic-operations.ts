import type { Caller } from '../../domain/access/caller.ts';
import { optionsShownTo } from '../../domain/access/shown-urls.ts';
import { entitled, withOptionsShownTo } from '../../domain/access/visible.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import {
  MOST_MESSAGES,
  publishedShape,
  subscriptionShape,
  topicName,
  type Subscription,
} from '../../domain/topics/subscription.ts';
import { integer, listOf, object, required, type Shape } from '../../domain/values/shape.ts';
import { publishedMessageShape } from '../topics/published.ts';
import type { Publishing } from '../topics/publishing.ts';
import { listedTopicShape, type Subscriptions } from '../topics/subscriptions.ts';
import { anyOf } from './answers/any-of.ts';
import { subscriptionAnswer } from './answers/topic-answers.ts';
import { callbackQueues, callbackRights } from './callback-queues.ts';
import { given, order, place, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { flag, previewable } from './options.ts';
import { answers, done } from './out.ts';

/** No headers of what is called and no filter are longer, and a replica keeps the subscriptions that it uses in memory. */
const MAX_SUBSCRIPTION_BODY = 65_536;

const ofTopic = { topic: place<string>() };
const ofSubscription = { ...ofTopic, subscription: place<string>() };

const total = required(integer(0), 'How many there are');
const topic = required(topicName, 'Its name');

interface TopicUseCases {
  readonly subscriptions: Subscriptions;
  readonly publishing: Publishing;
}

/** Topics, whose messages become jobs of all subscriptions that they match (further contract, section 23). */
export function topicOperations(
  { subscriptions, publishing }: TopicUseCases,
  queueName: Shape<QueueName>,
) {
  const fields = (
    _: unknown,
    input: { readonly topic: string; readonly subscription?: string },
  ) => ({
    topic: input.topic,
    ...(input.subscription !== undefined && { subscription: input.subscription }),
  });
  return {
    publish: operation({
      access: 'add',
      summary: 'Publish a message, or several, to the subscriptions of a topic',
      description:
        'Each message becomes a job of every subscription that it matches: all of a call are added, or ' +
        'none. The token must be allowed to use all their queues. Send an `Idempotency-Key` so that a ' +
        `repetition adds nothing. An array has up to ${MOST_MESSAGES} messages, and its answer as many items.`,
      in: {
        ...ofTopic,
        dryRun: flag('Whether nothing is added: the answer is what would be, without ids'),
        order: order(publishedShape, 'a message as a JSON object, or an array of messages'),
      },
      out: answers(
        anyOf(publishedMessageShape, listOf(publishedMessageShape)),
        'The jobs of the message, or of each',
      ),
      errors: ['request-too-large', 'queue-full'],
      queuesOf: ({ order: given }) =>
        callbackQueues([given].flat().map(({ opts }) => opts?.callback)),
      perform: async ({ topic: name, dryRun, order: sent }, way) => {
        const { messages, isRepeated } = await publishing.publish(name, {
          messages: [sent].flat(),
          isList: Array.isArray(sent),
          isDryRun: dryRun,
          caller: way.caller,
          identity: way.identity,
          trace: way.trace,
          count: (jobs) => way.count('jobs', jobs),
        });
        return { published: Array.isArray(sent) ? messages : messages[0], isRepeated };
      },
    }),
    saveSubscription: operation({
      access: 'configure',
      action: 'subscription.save',
      summary: 'Store a subscription of a topic, in place of any other of its id',
      description:
        'The queue gets a job for each message that the filter matches, with the options of the ' +
        'subscription over those of the message. The token must be allowed to use the queue, and the ' +
        'queue before it.',
      in: {
        ...ofSubscription,
        queue: given<QueueName>(),
        ...previewable,
        ...withOrder(subscriptionShape(queueName), 'a subscription', {
          most: MAX_SUBSCRIPTION_BODY,
        }),
      },
      out: answers(subscriptionAnswer, 'The subscription'),
      errors: ['too-many-topics'],
      // Its filter may hold values of messages.
      auditedOf: (input) => ({ fields: Object.keys(input) }),
      rightsOf: ({ order: { opts } }) => callbackRights([opts?.callback]),
      queuesOf: ({ queue, order: { opts } }) => [queue, ...callbackQueues([opts?.callback])],
      perform: ({ topic: name, subscription: id, order: input, dryRun }, { caller }) =>
        subscriptions.put(name, id, input, caller, dryRun),
      view: subscriptionShownTo,
      report: { line: 'Subscription stored', fields },
    }),
    removeSubscription: operation({
      access: 'configure',
      action: 'subscription.remove',
      summary: 'Remove a subscription; a topic ends with its last one',
      description: 'Jobs that it has added stay.',
      in: ofSubscription,
      out: done('The subscription is removed'),
      errors: ['subscription-not-found'],
      perform: ({ topic: name, subscription: id }, { caller }) =>
        subscriptions.remove(name, id, caller),
      report: { line: 'Subscription removed', fields },
    }),
    readSubscription: operation({
      access: 'read',
      summary: 'Read a subscription',
      description: 'The values of headers are not shown.',
      in: ofSubscription,
      out: answers(subscriptionAnswer, 'The subscription'),
      errors: ['subscription-not-found'],
      perform: ({ topic: name, subscription: id }, { caller }) =>
        subscriptions.read(name, id, caller),
      view: subscriptionShownTo,
    }),
    listTopics: operation({
      access: 'read',
      summary: 'List the topics',
      description: 'Subscriptions for queues that the token may not use are left out.',
      in: {},
      out: answers(
        object('Topics', {
          total,
          topics: required(listOf(listedTopicShape), 'The topics, by name'),
        }),
        'The topics',
      ),
      perform: async (_, { caller }) => {
        const topics = await subscriptions.topics(caller);
        return { total: topics.length, topics };
      },
    }),
    readTopic: operation({
      access: 'read',
      summary: 'Read a topic with its subscriptions',
      description: 'Those for queues that the token may not use are left out.',
      in: ofTopic,
      out: answers(
        object('Topic', {
          topic,
          subscriptions: required(listOf(subscriptionAnswer), 'Its subscriptions, by id'),
        }),
        'The topic',
      ),
      errors: ['topic-not-found'],
      perform: async ({ topic: name }, { caller }) => ({
        topic: name,
        subscriptions: await subscriptions.list(name, caller),
      }),
      view: ({ topic: name, subscriptions: listed }, caller) => ({
        topic: name,
        subscriptions: listed.map((each) => subscriptionShownTo(each, caller)),
      }),
    }),
    removeTopic: operation({
      access: 'configure',
      action: 'topic.remove',
      summary: 'Remove a topic with all its subscriptions',
      description: 'The token must be allowed to use all their queues. Jobs stay.',
      in: ofTopic,
      out: done('The topic is removed'),
      errors: ['topic-not-found'],
      perform: ({ topic: name }, { caller }) => subscriptions.removeTopic(name, caller),
      report: { line: 'Topic removed', fields },
    }),
  };
}

/** A subscription as a caller may see it. */
function subscriptionShownTo(subscription: Subscription, caller: Caller) {
  return entitled(withOptionsShownTo(caller, optionsShownTo(caller, subscription)));
}
