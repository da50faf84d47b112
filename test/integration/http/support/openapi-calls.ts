/** A request to an operation of the OpenAPI document. */
export interface OpenApiCall {
  readonly operationId: string;
  readonly path: string;
  readonly status: number;
  readonly body?: unknown;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const job = { name: 'welcome', data: { to: 'ada@example.com' } };
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
const policy = {
  defaults: { attempts: 3, backoff: 1000, timeout: 5000, ttl: 60_000, removeOnFail: 5 },
  maxJobSize: 10_000,
  maxWaiting: 1,
};
const schedule = {
  repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin', limit: 9, endDate: 4_000_000_000_000 },
  job: { ...job, opts: { attempts: 3, backoff: 1000, priority: 2 } },
};
const delayed = { ...job, opts: { delay: 60_000, jobId: 'later' } };
const flow = {
  ...job,
  queue: 'flows',
  opts: { jobId: 'report' },
  children: [{ ...job, queue: 'flows', onChildFailure: 'fail', children: [] }],
};
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

/** The queues whose first job is held. */
export const HELD = ['taken', 'completing', 'failing', 'releasing'] as const;

const signed = { ...worker, endpoint: { ...worker.endpoint, signing: true } };

/**
 * Every operation, as it is meant and with mistakes, in an order in which each finds what it needs.
 *
 * @param tokenOf the token of an attempt of the job 1 of a queue of HELD, which runs; that of `ended` has.
 */
export function openApiCalls(
  tokenOf: (queue: (typeof HELD)[number]) => string,
): readonly OpenApiCall[] {
  const jobs = '/queues/mail/jobs';
  const scheduler = '/queues/timed/schedulers/nightly';
  const deduplication = '/queues/mail/deduplication/customer-17';
  const taken = '/queues/taken/jobs/1';
  const compressed = { 'Content-Encoding': 'gzip' };
  const keyed = { 'Idempotency-Key': 'order-17' };
  const reports = { token: tokenOf('taken') };
  return [
    { operationId: 'readReadiness', path: '/health/ready', status: 200 },
    { operationId: 'readLiveness', path: '/health/live', status: 200, token: '' },
    { operationId: 'readOpenApi', path: '/openapi.json', status: 200, token: '' },
    { operationId: 'readDocs', path: '/docs', status: 200, token: '' },
    { operationId: 'readMetrics', path: '/metrics', status: 200 },
    { operationId: 'readMetrics', path: '/metrics', status: 401, token: 'wrong' },

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
    { operationId: 'readJob', path: `${jobs}/1`, status: 200 },
    { operationId: 'readJob', path: taken, status: 200 },
    { operationId: 'readJob', path: `${jobs}/none`, status: 404 },
    { operationId: 'readJob', path: `${jobs}/1?a=b`, status: 400 },
    { operationId: 'readJob', path: `${jobs}/1`, status: 401, token: 'wrong' },

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

    ...reportCalls(tokenOf),
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
    { operationId: 'waitForResult', path: '/queues/broken/jobs/1/result', status: 200 },
    { operationId: 'waitForResult', path: `${jobs}/1/result?timeout=0`, status: 202 },
    { operationId: 'waitForResult', path: `${jobs}/none/result`, status: 404 },
    { operationId: 'waitForResult', path: `${jobs}/1/result?timeout=60001`, status: 400 },
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
    { operationId: 'listQueues', path: '/queues', status: 200 },
    {
      operationId: 'listQueues',
      path: '/queues?name=ma*&start=0&length=5&discover=true',
      status: 200,
    },
    { operationId: 'listQueues', path: '/queues?length=1001', status: 400 },
    { operationId: 'readQueue', path: '/queues/mail', status: 200 },
    { operationId: 'readQueue', path: '/queues/none', status: 404 },
    { operationId: 'followQueue', path: '/queues/mail/events', status: 200 },
    {
      operationId: 'followQueue',
      path: '/queues/mail/events?events=added,%20failed&job=17&lastEventId=1767225600000-0',
      status: 200,
    },
    { operationId: 'followQueues', path: '/events', status: 200 },
    {
      operationId: 'followQueues',
      path: '/events?queues=mail-*,news&events=added,%20failed&lastEventId=WyIxNzY3MjI1NjAwMDAwLTAiLCJtYWlsIl0',
      status: 200,
    },
    { operationId: 'followQueues', path: '/events?ticket=used', status: 401 },
    { operationId: 'followQueues', path: '/events?queues=a,,b', status: 400 },
    { operationId: 'followQueues', path: '/events?lastEventId=1767225600000.0', status: 400 },
    { operationId: 'issueTicket', path: '/tickets', status: 200 },
    {
      operationId: 'issueTicket',
      path: '/tickets',
      status: 200,
      body: { queues: ['mail', 'news-*'], events: ['completed', 'failed'] },
    },
    { operationId: 'issueTicket', path: '/tickets', status: 400, body: { events: ['born'] } },
    { operationId: 'issueTicket', path: '/tickets', status: 401, token: 'wrong' },
    { operationId: 'followQueue', path: '/queues/mail/events?ticket=used', status: 401 },
    { operationId: 'followQueue', path: '/queues/mail/events?events=born', status: 400 },
    { operationId: 'followQueue', path: '/queues/mail/events?lastEventId=17', status: 400 },
    { operationId: 'followQueue', path: '/queues/mail/events', status: 401, token: 'wrong' },
    { operationId: 'readQueue', path: '/queues/mail?a=b', status: 400 },
    { operationId: 'addFlow', path: '/flows', status: 200, body: flow },
    { operationId: 'addFlow', path: '/flows', status: 409, body: flow },
    { operationId: 'addFlow', path: '/flows', status: 400, body: { ...flow, children: [{}] } },
    { operationId: 'readFlow', path: '/flows/flows/report', status: 200 },
    { operationId: 'readFlow', path: '/flows/flows/none', status: 404 },
    { operationId: 'readChildren', path: '/queues/flows/jobs/report/children', status: 200 },
    { operationId: 'readChildren', path: '/queues/flows/jobs/none/children', status: 404 },
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

    { operationId: 'searchJobs', path: `${jobs}/search?name=welcome&length=2`, status: 200 },
    {
      operationId: 'searchJobs',
      path: `${jobs}/search?statuses=failed&reason=a&status=503&from=1&to=2&data=a.b:1`,
      status: 200,
    },
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
    { operationId: 'pauseQueue', path: '/queues/mail/pause', status: 200 },
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
    { operationId: 'saveScheduler', path: scheduler, status: 200, body: schedule },
    {
      operationId: 'saveScheduler',
      path: scheduler,
      status: 200,
      body: { ...schedule, repeat: { every: 1000 } },
    },
    { operationId: 'saveScheduler', path: scheduler, status: 400, body: { repeat: { every: 5 } } },
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
    { operationId: 'saveCommonPolicy', path: '/policy', status: 200, body: policy },
    { operationId: 'saveCommonPolicy', path: '/policy', status: 400, body: { maxJobSize: -1 } },
    { operationId: 'readCommonPolicy', path: '/policy', status: 200 },
    { operationId: 'readCommonPolicy', path: '/policy?a=b', status: 400 },
    { operationId: 'removeCommonPolicy', path: '/policy', status: 200 },
    { operationId: 'removeCommonPolicy', path: '/policy', status: 404 },

    { operationId: 'registerWorker', path: '/workers', status: 200, body: worker },
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
}

function reportCalls(tokenOf: (queue: (typeof HELD)[number]) => string): readonly OpenApiCall[] {
  const call = (operationId: string, verb: string, queue: (typeof HELD)[number]) => ({
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
