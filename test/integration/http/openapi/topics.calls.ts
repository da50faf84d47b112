import type { OpenApiCall } from './openapi-call.ts';

const topic = '/topics/orders';
const subscription = `${topic}/subscriptions/billing`;
const message = { name: 'paid', data: { country: 'de' } };

const stored = {
  queue: 'topic-billing',
  filter: {
    name: ['paid', 'refund*'],
    data: {
      'customer.country': ['de', { prefix: 'a' }, { suffix: 'x' }, { 'anything-but': ['b', 1] }],
      total: [{ numeric: ['>=', 10, '<', 20] }, null, true, 5],
      coupon: [{ exists: false }],
    },
  },
  opts: { attempts: 3 },
  onFull: 'skip',
  paused: false,
};

/** Topics, their subscriptions and messages. */
export const topicCalls: readonly OpenApiCall[] = [
  { operationId: 'saveSubscription', path: subscription, status: 200, body: stored },
  {
    operationId: 'saveSubscription',
    path: `${subscription}?dryRun=true`,
    status: 200,
    body: stored,
  },
  { operationId: 'saveSubscription', path: subscription, status: 400, body: { queue: 5 } },
  {
    operationId: 'saveSubscription',
    path: subscription,
    status: 400,
    body: { queue: 'topic-billing', filter: { data: { a: [{ regex: 'x' }] } } },
  },
  {
    operationId: 'saveSubscription',
    path: `${topic}/subscriptions/audit`,
    status: 200,
    body: { queue: 'topic-audit' },
  },
  { operationId: 'readSubscription', path: subscription, status: 200 },
  { operationId: 'readSubscription', path: `${topic}/subscriptions/none`, status: 404 },
  { operationId: 'listTopics', path: '/topics', status: 200 },
  { operationId: 'readTopic', path: topic, status: 200 },
  { operationId: 'readTopic', path: '/topics/none', status: 404 },
  { operationId: 'publish', path: topic, status: 200, body: message },
  { operationId: 'publish', path: topic, status: 200, body: [message, message] },
  { operationId: 'publish', path: `${topic}?dryRun=true`, status: 200, body: message },
  { operationId: 'publish', path: '/topics/none', status: 200, body: message },
  { operationId: 'publish', path: topic, status: 400, body: { name: 'paid' } },
  { operationId: 'publish', path: `${topic}?dryRun=maybe`, status: 400, body: message },
  { operationId: 'removeSubscription', path: subscription, status: 200 },
  { operationId: 'removeSubscription', path: subscription, status: 404 },
  { operationId: 'removeTopic', path: topic, status: 200 },
  { operationId: 'removeTopic', path: topic, status: 404 },
];
