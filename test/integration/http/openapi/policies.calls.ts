import type { OpenApiCall } from './openapi-call.ts';
import { job } from './sample-job.ts';

const policy = {
  defaults: { attempts: 3, backoff: 1000, timeout: 5000, ttl: 60_000, removeOnFail: 5 },
  maxJobSize: 10_000,
  maxWaiting: 1,
};

/** Policies. */
export const policyCalls: readonly OpenApiCall[] = [
  { operationId: 'savePolicy', path: '/queues/ruled/policy', status: 200, body: policy },
  { operationId: 'addJobs', path: '/queues/ruled/jobs', status: 429, body: [job, job] },
  { operationId: 'savePolicy', path: '/queues/ruled/policy', status: 200 },
  {
    operationId: 'savePolicy',
    path: '/queues/ruled/policy',
    status: 400,
    body: { defaults: { lifo: true } },
  },
  { operationId: 'readPolicy', path: '/queues/ruled/policy', status: 200 },
  { operationId: 'readPolicy', path: '/queues/none/policy', status: 404 },
  { operationId: 'readQueue', path: '/queues/ruled', status: 200 },
  { operationId: 'removePolicy', path: '/queues/ruled/policy', status: 200 },
  { operationId: 'removePolicy', path: '/queues/ruled/policy', status: 404 },
  { operationId: 'saveCommonPolicy', path: '/policy', status: 200, body: policy },
  { operationId: 'saveCommonPolicy', path: '/policy', status: 400, body: { maxJobSize: -1 } },
  { operationId: 'readCommonPolicy', path: '/policy', status: 200 },
  { operationId: 'readCommonPolicy', path: '/policy?a=b', status: 400 },
  { operationId: 'removeCommonPolicy', path: '/policy', status: 200 },
  { operationId: 'removeCommonPolicy', path: '/policy', status: 404 },
];
