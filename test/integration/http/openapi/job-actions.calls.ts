import type { OpenApiCall } from './openapi-call.ts';
import { job } from './sample-job.ts';

const jobs = '/queues/mail/jobs';
const taken = '/queues/taken/jobs/1';

const callback = { url: 'https://shop.example.com/done', headers: { 'X-Key': 'k' } };

const delayed = { ...job, opts: { delay: 60_000, jobId: 'later' } };

/** Changes of single jobs; the first job of `taken` runs until it is cancelled here. */
export const jobActionCalls: readonly OpenApiCall[] = [
  { operationId: 'promoteJob', path: `${jobs}/1/promote`, status: 409 },
  { operationId: 'promoteJob', path: `${jobs}/none/promote`, status: 404 },
  { operationId: 'addJobs', path: jobs, status: 200, body: [delayed] },
  {
    operationId: 'changeJob',
    path: `${jobs}/later`,
    status: 200,
    body: { data: [1], delay: 90_000 },
  },
  { operationId: 'changeJob', path: `${jobs}/later`, status: 409, body: { priority: 1 } },
  { operationId: 'changeJob', path: `${jobs}/later`, status: 400, body: { priority: -1 } },
  { operationId: 'changeJob', path: `${jobs}/none`, status: 404, body: { priority: 1 } },
  { operationId: 'promoteJob', path: `${jobs}/later/promote`, status: 200 },
  {
    operationId: 'retryJob',
    path: '/queues/ended/jobs/1/retry',
    status: 200,
    body: { opts: { attempts: 2, backoff: 100, priority: 1 }, data: null },
  },
  { operationId: 'retryJob', path: '/queues/ended/jobs/1/retry', status: 409 },
  { operationId: 'retryJob', path: `${jobs}/none/retry`, status: 404, body: { data: 1 } },
  {
    operationId: 'retryJob',
    path: `${jobs}/1/retry`,
    status: 400,
    body: { opts: { lifo: true } },
  },
  {
    operationId: 'savePolicy',
    path: '/queues/called/policy',
    status: 200,
    body: { callbacks: { origins: ['https://*.example.com'] } },
  },
  {
    operationId: 'addJobs',
    path: '/queues/called/jobs',
    status: 200,
    body: [{ ...job, opts: { jobId: 'back', callback } }],
  },
  { operationId: 'cancelJob', path: '/queues/called/jobs/back/cancel', status: 200 },
  { operationId: 'readJob', path: '/queues/called/jobs/back', status: 200 },
  {
    operationId: 'resendCallback',
    path: '/queues/called/jobs/back/callback/resend',
    status: 200,
  },
  {
    operationId: 'resendCallback',
    path: '/queues/called/jobs/none/callback/resend',
    status: 404,
  },
  { operationId: 'removeJob', path: taken, status: 409 },
  { operationId: 'removeQueue', path: '/queues/taken?confirm=taken', status: 409 },
  {
    operationId: 'cancelJob',
    path: `${taken}/cancel`,
    status: 200,
    body: { reason: 'Ordered twice' },
  },
  { operationId: 'readAttempts', path: `${taken}/attempts`, status: 200 },
  { operationId: 'readAttempts', path: `${jobs}/none/attempts`, status: 404 },
  { operationId: 'cancelJob', path: `${taken}/cancel`, status: 409 },
  {
    operationId: 'cancelJob',
    path: `${taken}/cancel`,
    status: 409,
    body: { children: true },
  },
  { operationId: 'cancelJob', path: `${taken}/cancel`, status: 400, body: { reason: 1 } },
  { operationId: 'cancelJob', path: `${jobs}/none/cancel`, status: 404 },
  { operationId: 'removeJob', path: `${jobs}/later`, status: 200 },
  { operationId: 'removeJob', path: `${jobs}/later`, status: 404 },
];
