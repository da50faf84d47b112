import type { OpenApiCall } from './openapi-call.ts';

const limit = '/limits/openai';
const settings = { concurrency: 20, limiter: { max: 100, duration: 60_000 } };

/** Limits that queues share. */
export const limitCalls: readonly OpenApiCall[] = [
  { operationId: 'saveLimit', path: limit, status: 200, body: settings },
  { operationId: 'saveLimit', path: `${limit}?dryRun=true`, status: 200, body: { concurrency: 5 } },
  { operationId: 'saveLimit', path: limit, status: 400, body: { concurrency: 0 } },
  { operationId: 'listLimits', path: '/limits', status: 200 },
  { operationId: 'listLimits', path: '/limits?a=b', status: 400 },
  { operationId: 'readLimit', path: limit, status: 200 },
  { operationId: 'readLimit', path: '/limits/none', status: 404 },
  { operationId: 'listQueuesAtLimit', path: `${limit}/queues`, status: 200 },
  { operationId: 'listQueuesAtLimit', path: '/limits/none/queues', status: 404 },
  { operationId: 'removeLimit', path: limit, status: 200 },
  { operationId: 'removeLimit', path: limit, status: 404 },
];
