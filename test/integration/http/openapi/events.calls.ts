import type { OpenApiCall } from './openapi-call.ts';

/** Events and tickets. */
export const eventCalls: readonly OpenApiCall[] = [
  { operationId: 'followQueue', path: '/queues/mail/events', status: 200 },
  {
    operationId: 'followQueue',
    path: '/queues/mail/events?events=added,%20failed&job=17&lastEventId=1767225600000-0',
    status: 200,
  },
  { operationId: 'followQueues', path: '/events', status: 200 },
  {
    operationId: 'followQueues',
    path: '/events?queues=mail-*,news&events=added,%20failed&lastEventId=WyIxNzY3MjI1NjAwMDAwLTAiLCJtYWlsIl0',
    status: 200,
  },
  { operationId: 'followQueues', path: '/events?ticket=used', status: 401 },
  { operationId: 'followQueues', path: '/events?queues=a,,b', status: 400 },
  { operationId: 'followQueues', path: '/events?lastEventId=1767225600000.0', status: 400 },
  { operationId: 'issueTicket', path: '/tickets', status: 200 },
  {
    operationId: 'issueTicket',
    path: '/tickets',
    status: 200,
    body: { queues: ['mail', 'news-*'], events: ['completed', 'failed'] },
  },
  { operationId: 'issueTicket', path: '/tickets', status: 400, body: { events: ['born'] } },
  { operationId: 'issueTicket', path: '/tickets', status: 401, token: 'wrong' },
  { operationId: 'followQueue', path: '/queues/mail/events?ticket=used', status: 401 },
  { operationId: 'followQueue', path: '/queues/mail/events?events=born', status: 400 },
  { operationId: 'followQueue', path: '/queues/mail/events?lastEventId=17', status: 400 },
  { operationId: 'followQueue', path: '/queues/mail/events', status: 401, token: 'wrong' },
];
