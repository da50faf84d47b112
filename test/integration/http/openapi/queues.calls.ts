import type { OpenApiCall } from './openapi-call.ts';
import { job } from './sample-job.ts';

/** Queues and their control. */
export const queueCalls: readonly OpenApiCall[] = [
  { operationId: 'listQueues', path: '/queues', status: 200 },
  {
    operationId: 'listQueues',
    path: '/queues?name=ma*&start=0&length=5&discover=true',
    status: 200,
  },
  { operationId: 'listQueues', path: '/queues?length=1001', status: 400 },
  { operationId: 'readQueue', path: '/queues/mail', status: 200 },
  { operationId: 'readQueue', path: '/queues/none', status: 404 },
  { operationId: 'readQueue', path: '/queues/mail?a=b', status: 400 },
  { operationId: 'pauseQueue', path: '/queues/mail/pause', status: 200 },
  {
    operationId: 'pauseQueue',
    path: '/queues/mail/pause',
    status: 200,
    headers: { Accept: 'application/json' },
  },
  { operationId: 'pauseQueue', path: '/queues/a/pause', status: 400 },
  { operationId: 'resumeQueue', path: '/queues/mail/resume', status: 200 },
  { operationId: 'resumeQueue', path: '/queues/mail/resume', status: 401, token: 'wrong' },
  { operationId: 'resumeQueue', path: '/queues/a/resume', status: 400 },
  { operationId: 'holdQueue', path: '/queues/mail/hold', status: 200, body: { for: 1000 } },
  { operationId: 'holdQueue', path: '/queues/mail/hold', status: 400, body: { for: 0 } },
  { operationId: 'endHold', path: '/queues/mail/hold', status: 200 },
  { operationId: 'endHold', path: '/queues/none/hold', status: 404 },
  { operationId: 'removeQueue', path: '/queues/none?confirm=none', status: 404 },
  { operationId: 'removeQueue', path: '/queues/mail?confirm=mail&force=1', status: 400 },
  { operationId: 'addJobs', path: '/queues/short/jobs', status: 200, body: [job] },
  { operationId: 'removeQueue', path: '/queues/short?confirm=short&force=true', status: 200 },
  { operationId: 'drainQueue', path: '/queues/mail/drain', status: 200 },
  { operationId: 'drainQueue', path: '/queues/mail/drain', status: 200, body: { delayed: true } },
  { operationId: 'drainQueue', path: '/queues/mail/drain', status: 400, body: { delayed: 1 } },
];
