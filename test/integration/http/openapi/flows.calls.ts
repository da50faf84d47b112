import type { OpenApiCall } from './openapi-call.ts';
import { job } from './sample-job.ts';

const flow = {
  ...job,
  queue: 'flows',
  opts: { jobId: 'report' },
  children: [{ ...job, queue: 'flows', onChildFailure: 'fail', children: [] }],
};

/** Flows. */
export const flowCalls: readonly OpenApiCall[] = [
  { operationId: 'addFlow', path: '/flows', status: 200, body: flow },
  { operationId: 'addFlow', path: '/flows', status: 409, body: flow },
  { operationId: 'addFlow', path: '/flows', status: 400, body: { ...flow, children: [{}] } },
  { operationId: 'readFlow', path: '/flows/flows/report', status: 200 },
  { operationId: 'readFlow', path: '/flows/flows/none', status: 404 },
  { operationId: 'readChildren', path: '/queues/flows/jobs/report/children', status: 200 },
  { operationId: 'readChildren', path: '/queues/flows/jobs/none/children', status: 404 },
  { operationId: 'readWhyJobIsBlocked', path: '/queues/flows/jobs/report/blocked', status: 200 },
  { operationId: 'readWhyJobIsBlocked', path: '/queues/flows/jobs/none/blocked', status: 404 },
  {
    operationId: 'readChildren',
    path: '/queues/flows/jobs/report/children?start=0&length=5',
    status: 200,
  },
  {
    operationId: 'readChildren',
    path: '/queues/flows/jobs/report/children?start=-1',
    status: 400,
  },
];
