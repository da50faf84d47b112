import type { OpenApiCall } from './openapi-call.ts';

const worker = {
  queue: 'mail',
  endpoint: {
    url: 'http://localhost:3000/jobs',
    method: 'post',
    timeout: 30_000,
    body: 'data',
    success: ['200-299', '404'],
    headers: { Authorization: 'Bearer secret' },
  },
  opts: {
    concurrency: 4,
    maxStalledCount: 2,
    limiter: { max: 10, duration: 1000 },
    disableOnGone: true,
    breaker: { failures: 5, openFor: 10_000, maxOpenFor: 300_000 },
    removeOnComplete: { count: 5, age: 60 },
    backpressure: { statuses: [429, 502], hold: 'job', maxHold: 60_000, maxDeferrals: 10 },
    removeOnFail: {},
  },
};
const signed = { ...worker, endpoint: { ...worker.endpoint, signing: true } };

/** Workers. */
export const workerCalls: readonly OpenApiCall[] = [
  { operationId: 'registerWorker', path: '/workers', status: 200, body: worker },
  {
    operationId: 'registerWorker',
    path: '/workers',
    status: 200,
    body: worker,
    headers: { Accept: 'application/json' },
  },
  { operationId: 'readQueue', path: '/queues/mail', status: 200 },
  {
    operationId: 'registerWorker',
    path: '/workers',
    status: 400,
    body: { ...worker, endpoint: { url: 'ftp://a.test', method: 'head' } },
  },
  { operationId: 'rotateSecret', path: '/workers/mail/rotate-secret', status: 409 },
  { operationId: 'rotateSecret', path: '/workers/none/rotate-secret', status: 404 },
  { operationId: 'registerWorker', path: '/workers', status: 200, body: signed },
  { operationId: 'registerWorker', path: '/workers', status: 200, body: signed },
  { operationId: 'rotateSecret', path: '/workers/mail/rotate-secret', status: 200 },
  { operationId: 'rotateSecret', path: '/workers/a/rotate-secret', status: 400 },
  { operationId: 'listWorkers', path: '/workers', status: 200 },
  { operationId: 'listWorkers', path: '/workers?a=b', status: 400 },
  { operationId: 'readWorker', path: '/workers/mail', status: 200 },
  { operationId: 'readWorker', path: '/workers/none', status: 404 },
  { operationId: 'readWorkerHealth', path: '/workers/mail/health', status: 200 },
  { operationId: 'readWorkerHealth', path: '/workers/none/health', status: 404 },
  {
    operationId: 'disableWorker',
    path: '/workers/mail/disable',
    status: 200,
    body: { reason: 'The endpoint is being moved' },
  },
  { operationId: 'disableWorker', path: '/workers/mail/disable', status: 200 },
  { operationId: 'disableWorker', path: '/workers/mail/disable', status: 400, body: { why: 1 } },
  { operationId: 'disableWorker', path: '/workers/none/disable', status: 404 },
  { operationId: 'readWorkerHealth', path: '/workers/mail/health', status: 200 },
  { operationId: 'enableWorker', path: '/workers/mail/enable', status: 200 },
  { operationId: 'enableWorker', path: '/workers/none/enable', status: 404 },
  { operationId: 'removeWorker', path: '/workers/mail', status: 200 },
  { operationId: 'removeWorker', path: '/workers/mail', status: 404 },
  { operationId: 'removeWorker', path: '/workers/mail', status: 401, token: 'wrong' },
];
