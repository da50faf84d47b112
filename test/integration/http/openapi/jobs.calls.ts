import type { OpenApiCall } from './openapi-call.ts';
import { job } from './sample-job.ts';

const jobs = '/queues/mail/jobs';
const deduplication = '/queues/mail/deduplication/customer-17';
const taken = '/queues/taken/jobs/1';
const compressed = { 'Content-Encoding': 'gzip' };
const keyed = { 'Idempotency-Key': 'order-17' };

const opts = {
  attempts: 3,
  backoff: { type: 'exponential', delay: 1000, jitter: 0.5, maxDelay: 60_000 },
  delay: 0,
  priority: 7,
  lifo: true,
  jobId: 'one-of-mine',
  removeOnComplete: true,
  removeOnFail: { count: 100, age: 3600 },
  keepLogs: 50,
  timeout: 5000,
  ttl: 600_000,
  retryFor: 3_600_000,
};
const deduplicated = {
  ...job,
  opts: { deduplication: { id: 'customer-17', ttl: 60_000, extend: true, replace: false } },
};

/** Adding and reading jobs. */
export const jobCalls: readonly OpenApiCall[] = [
  { operationId: 'listJobs', path: jobs, status: 404 },
  { operationId: 'addJobs', path: jobs, status: 200, body: [] },
  { operationId: 'addJobs', path: jobs, status: 200, body: [job, { ...job, data: null, opts }] },
  { operationId: 'addJobs', path: jobs, status: 200, body: [{ ...job, opts: { backoff: 5 } }] },
  { operationId: 'addJobs', path: jobs, status: 400, body: [{ ...job, opts: { lifo: 1 } }] },
  { operationId: 'addJobs', path: jobs, status: 400, body: [{ ...job, extra: 1 }] },
  { operationId: 'addJobs', path: '/queues/a/jobs', status: 400, body: [job] },
  { operationId: 'addJobs', path: jobs, status: 401, token: 'wrong', body: [job] },
  { operationId: 'addJobs', path: jobs, status: 413, body: Array(11).fill(job) },
  { operationId: 'addJobs', path: jobs, status: 415, body: [job], headers: compressed },
  { operationId: 'addJobs', path: jobs, status: 200, body: [job], headers: keyed },
  { operationId: 'addJobs', path: jobs, status: 200, body: [job], headers: keyed },
  { operationId: 'addJobs', path: jobs, status: 422, body: [], headers: keyed },
  { operationId: 'addJobs', path: jobs, status: 200, body: [deduplicated] },
  { operationId: 'addJobs', path: jobs, status: 200, body: [deduplicated] },
  { operationId: 'addJobs', path: jobs, status: 202, body: [job], headers: { Prefer: 'wait=0' } },
  { operationId: 'readDeduplication', path: deduplication, status: 200 },
  { operationId: 'endDeduplication', path: deduplication, status: 200 },
  { operationId: 'readDeduplication', path: deduplication, status: 404 },
  { operationId: 'endDeduplication', path: deduplication, status: 404 },
  { operationId: 'addJobsToQueue', path: '/queues/mail', status: 200, body: [job] },
  { operationId: 'addJobsToQueue', path: '/queues/mail', status: 400, body: 'job' },
  { operationId: 'listJobs', path: jobs, status: 200 },
  { operationId: 'listJobs', path: `${jobs}?statuses=waiting,%20failed&length=1`, status: 200 },
  { operationId: 'listJobs', path: `${jobs}?length=1001`, status: 400 },
  { operationId: 'listJobs', path: `${jobs}?view=summary&statuses=all`, status: 200 },
  { operationId: 'listJobs', path: `${jobs}?statuses=waiting-children`, status: 200 },
  { operationId: 'readJob', path: `${jobs}/1?view=summary`, status: 200 },
  { operationId: 'readJobData', path: `${jobs}/1/data`, status: 200 },
  {
    operationId: 'readJobData',
    path: `${jobs}/1/data`,
    status: 206,
    headers: { Range: 'bytes=0-' },
  },
  {
    operationId: 'readJobData',
    path: `${jobs}/1/data`,
    status: 416,
    headers: { Range: 'bytes=99999-' },
  },
  { operationId: 'readReturnValue', path: `${jobs}/1/returnvalue`, status: 200 },
  { operationId: 'readReturnValue', path: `${jobs}/none/returnvalue`, status: 404 },
  { operationId: 'readJob', path: `${jobs}/1`, status: 200 },
  { operationId: 'readJob', path: taken, status: 200 },
  { operationId: 'readJob', path: `${jobs}/none`, status: 404 },
  { operationId: 'readJob', path: `${jobs}/1?a=b`, status: 400 },
  { operationId: 'readJob', path: `${jobs}/1`, status: 401, token: 'wrong' },
  { operationId: 'waitForResult', path: '/queues/broken/jobs/1/result', status: 200 },
  { operationId: 'waitForResult', path: `${jobs}/1/result?timeout=0`, status: 202 },
  { operationId: 'waitForResult', path: `${jobs}/none/result`, status: 404 },
  { operationId: 'waitForResult', path: `${jobs}/1/result?timeout=60001`, status: 400 },
];
