import type { HeldQueue, OpenApiCall, TokenOf } from './openapi-call.ts';
import { job } from './sample-job.ts';

const jobs = '/queues/mail/jobs';
const taken = '/queues/taken/jobs/1';

/** Claims, and reports with the token of an attempt. */
export function attemptCalls(tokenOf: TokenOf): readonly OpenApiCall[] {
  const reports = { token: tokenOf('taken') };
  return [
    { operationId: 'claimJobs', path: '/queues/pulled/jobs/claim', status: 200 },
    { operationId: 'addJobs', path: '/queues/pulled/jobs', status: 200, body: [job, job] },
    {
      operationId: 'claimJobs',
      path: '/queues/pulled/jobs/claim',
      status: 200,
      body: { count: 2, wait: 1000, lock: 60_000 },
    },
    {
      operationId: 'claimJobs',
      path: '/queues/pulled/jobs/claim',
      status: 400,
      body: { count: 0 },
    },
    { operationId: 'updateProgress', path: `${taken}/progress`, status: 200, body: 50, ...reports },
    { operationId: 'updateProgress', path: `${taken}/progress`, status: 400, body: '', ...reports },
    { operationId: 'updateProgress', path: `${taken}/progress`, status: 401, body: 50 },
    {
      operationId: 'updateProgress',
      path: `${taken}/progress`,
      status: 413,
      body: ['x'.repeat(70_000)],
      ...reports,
    },
    { operationId: 'addLog', path: `${taken}/logs`, status: 200, body: '"a line"', ...reports },
    { operationId: 'addLog', path: `${taken}/logs`, status: 400, body: 5, ...reports },
    { operationId: 'addLog', path: `${taken}/logs`, status: 401, body: '"a line"' },
    { operationId: 'readLogs', path: `${taken}/logs?start=0&length=5`, status: 200 },
    { operationId: 'readLogs', path: `${taken}/logs?start=-1`, status: 400 },
    { operationId: 'readLogs', path: `${jobs}/none/logs`, status: 404 },
    ...endingCalls(tokenOf),
  ];
}

function endingCalls(tokenOf: TokenOf): readonly OpenApiCall[] {
  const call = (operationId: string, verb: string, queue: HeldQueue) => ({
    operationId,
    path: `/queues/${queue}/jobs/1/${verb}`,
    token: tokenOf(queue),
  });
  const complete = call('completeJob', 'complete', 'completing');
  const fail = call('failJob', 'fail', 'failing');
  const extend = call('extendLock', 'extend', 'taken');
  const release = call('releaseJob', 'release', 'releasing');
  return [
    { ...extend, status: 200, body: { lock: 60_000 } },
    { ...extend, status: 400, body: { lock: 1 } },
    { ...complete, status: 200, body: { sent: true } },
    { ...complete, status: 401, token: 'wrong' },
    { ...complete, status: 413, body: 'x'.repeat(1_100_000) },
    { ...fail, status: 400, body: { reason: ' ' } },
    { ...fail, status: 200, body: { reason: 'no paper', retry: true, delay: 0 } },
    { ...release, status: 400, body: { delay: -1 } },
    { ...release, status: 200, body: { delay: 5000 } },
  ];
}
