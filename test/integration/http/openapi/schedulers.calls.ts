import type { OpenApiCall } from './openapi-call.ts';
import { job } from './sample-job.ts';

const scheduler = '/queues/timed/schedulers/nightly';

const schedule = {
  repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin', limit: 9, endDate: 4_000_000_000_000 },
  job: { ...job, opts: { attempts: 3, backoff: 1000, priority: 2 } },
};

/** Schedulers. */
export const schedulerCalls: readonly OpenApiCall[] = [
  { operationId: 'saveScheduler', path: scheduler, status: 200, body: schedule },
  {
    operationId: 'saveScheduler',
    path: scheduler,
    status: 200,
    body: { ...schedule, repeat: { every: 1000 } },
  },
  { operationId: 'saveScheduler', path: scheduler, status: 400, body: { repeat: { every: 5 } } },
  { operationId: 'saveScheduler', path: `${scheduler}?dryRun=true`, status: 200, body: schedule },
  { operationId: 'listAllSchedulers', path: '/schedulers?sort=queue&queues=ti*', status: 200 },
  { operationId: 'listAllSchedulers', path: '/schedulers?sort=name', status: 400 },
  { operationId: 'readScheduler', path: scheduler, status: 200 },
  { operationId: 'readScheduler', path: '/queues/none/schedulers/nightly', status: 404 },
  { operationId: 'listSchedulers', path: '/queues/timed/schedulers', status: 200 },
  { operationId: 'listSchedulers', path: '/queues/none/schedulers', status: 404 },
  { operationId: 'pauseScheduler', path: `${scheduler}/pause`, status: 200 },
  { operationId: 'pauseScheduler', path: '/queues/none/schedulers/nightly/pause', status: 404 },
  { operationId: 'resumeScheduler', path: `${scheduler}/resume`, status: 200 },
  { operationId: 'resumeScheduler', path: '/queues/none/schedulers/nightly/resume', status: 404 },
  { operationId: 'runScheduler', path: `${scheduler}/run`, status: 200 },
  { operationId: 'runScheduler', path: '/queues/none/schedulers/nightly/run', status: 404 },
  { operationId: 'removeScheduler', path: scheduler, status: 200 },
  { operationId: 'removeScheduler', path: scheduler, status: 404 },
];
