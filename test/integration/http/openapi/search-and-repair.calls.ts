import type { OpenApiCall } from './openapi-call.ts';

const jobs = '/queues/mail/jobs';

/** Search, failures and bulk repair. */
export const searchAndRepairCalls: readonly OpenApiCall[] = [
  { operationId: 'searchJobs', path: `${jobs}/search?name=welcome&length=2`, status: 200 },
  {
    operationId: 'searchJobs',
    path: `${jobs}/search?statuses=failed&reason=a&status=503&from=1&to=2&data=a.b:1`,
    status: 200,
  },
  { operationId: 'searchJobs', path: `${jobs}/search?view=summary`, status: 200 },
  { operationId: 'searchJobs', path: `${jobs}/search?length=101`, status: 400 },
  { operationId: 'readFailures', path: '/queues/broken/failures', status: 200 },
  { operationId: 'readFailures', path: '/queues/mail/failures?window=0', status: 400 },
  {
    operationId: 'retryJobs',
    path: '/queues/broken/retry',
    status: 200,
    body: { filter: { cause: 'HTTP 503 Busy', statuses: ['failed'] }, limit: 1, dryRun: true },
  },
  { operationId: 'retryJobs', path: '/queues/broken/retry', status: 400, body: { all: 1 } },
  {
    operationId: 'promoteJobs',
    path: '/queues/mail/promote',
    status: 200,
    body: { filter: { ids: ['1'], name: 'a', reason: 'b', status: 500, from: 1, to: 2 } },
  },
  { operationId: 'promoteJobs', path: '/queues/mail/promote', status: 400, body: { limit: 0 } },
  {
    operationId: 'cleanJobs',
    path: '/queues/ended/clean',
    status: 200,
    body: { all: true, olderThan: 60_000 },
  },
  {
    operationId: 'cleanJobs',
    path: '/queues/ended/clean',
    status: 400,
    body: { filter: { ids: Array(1001).fill('1') } },
  },
  { operationId: 'cancelJobs', path: '/queues/none/cancel', status: 200, body: { all: true } },
  { operationId: 'cancelJobs', path: '/queues/none/cancel', status: 400, body: { filter: 1 } },
  {
    operationId: 'redriveJobs',
    path: '/queues/broken/redrive',
    status: 200,
    body: {
      filter: { cause: 'HTTP 503 Busy' },
      to: 'mail',
      rate: { max: 10, duration: 1000 },
      limit: 1,
      dryRun: true,
    },
  },
  { operationId: 'redriveJobs', path: '/queues/broken/redrive', status: 400, body: { all: 1 } },
  {
    operationId: 'erase',
    path: '/erase',
    status: 200,
    body: {
      filter: { data: { 'customer.id': '17', 'items.0.count': 3 } },
      queues: ['mail', '!none'],
      mode: 'redact',
      states: ['failed'],
      limit: 10,
      dryRun: true,
    },
  },
  {
    operationId: 'erase',
    path: '/erase',
    status: 200,
    body: { filter: { ids: ['nobody'], queue: 'mail' } },
  },
  { operationId: 'erase', path: '/erase', status: 400, body: { filter: { data: { a: {} } } } },
];
