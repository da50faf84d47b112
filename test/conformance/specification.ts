import type { Section } from './section.ts';

/** What the specification says, by its sections. */
export const specification: readonly Section[] = [
  {
    title: 'What the service does',
    rules: {
      'service.jobs': 'HTTP requests become queue operations: add, list and fetch jobs',
      'service.workers': 'Register, list and remove workers; update progress, append and read logs',
      'service.calls':
        "For every job to process, the worker's endpoint is called, and its answer decides",
      'service.restart':
        'Workers are persisted under WORKER_METADATA_KEY and run again after a restart',
      'service.port': 'The service listens on PORT',
      'service.unavailable':
        'Jobs have no option to be repeated: what was announced is there as schedulers and events',
      'service.native-library': 'The native library can use the same queues',
      'service.cluster-mode':
        'A store in cluster mode works when QUEUE_PREFIX is of the form `{<tag>}`',
      'service.queues': 'Any number of queues share one database, each identified by its name',
      'service.qualified-name': 'The qualified name of a queue is `<queue_prefix>:<queue_name>`',
    },
  },
  {
    title: 'Configuration',
    rules: {
      'variables.defaults': 'Every default of the table',
      'variables.auth-tokens': 'AUTH_TOKENS: comma-separated list of valid API tokens',
      'variables.queue-prefix': 'QUEUE_PREFIX: prefix of every key used by the queues',
      'variables.port': 'PORT: listening port',
      'variables.store-uri': 'STORE_URI: connection URI, in place of the separate variables',
      'variables.store-host': 'STORE_HOST, STORE_PORT: database host and port',
      'variables.store-username': 'STORE_USERNAME: optional user name',
      'variables.store-password': 'STORE_PASSWORD: optional password',
      'variables.store-tls': 'STORE_TLS: enables TLS',
      'variables.queue-cache-size': 'QUEUE_CACHE_SIZE: maximum number of queue instances kept',
      'variables.debug': 'DEBUG: enables debug logs',
      'variables.queue-name-length':
        'MIN_QUEUE_NAME_LENGTH and MAX_QUEUE_NAME_LENGTH bound the names of queues',
      'variables.worker-metadata-key': 'WORKER_METADATA_KEY: key of the registered workers',
    },
  },
  {
    title: 'Job (input)',
    rules: {
      'job.name': '`name`: string, required',
      'job.data': '`data`: any JSON, required',
      'job.opts': '`opts`: optional',
    },
  },
  {
    title: 'JobOpts',
    rules: {
      'options.attempts': '`attempts`: maximum number of attempts',
      'options.zero-when-unset': '`attempts` and `delay` are returned as 0 when unset',
      'options.backoff':
        '`backoff`: exponential or linear, delay in ms; a base of 1000 retries after 1 s, 2 s, 4 s',
      'options.delay': '`delay`: ms to wait before the job becomes available',
      'options.priority': '`priority`: integer from 1 to 2097152, the lowest value first',
      'options.no-priority': 'No priority or priority 0 goes before any prioritized job',
      'options.lifo': '`lifo`: processed before the jobs already in the queue',
      'options.job-id': '`jobId`: custom id',
      'options.generated-id': 'Rule 1: without `jobId`, an increasing integer as a string',
      'options.existing-id': 'Rule 2: a job whose `jobId` exists is ignored',
      'options.finished-id': 'Rule 2: finished jobs that are kept count as existing',
      'options.delayed-first': 'Rule 3: a delayed job goes ahead of waiting jobs',
      'options.delayed-late': 'Rule 3: it can start later when the workers are busy',
    },
  },
  {
    title: 'JobJson',
    rules: {
      'fields.basic': '`id`, `name`, `data`, and `opts` with defaults',
      'fields.nulls': '`progress` 0, `returnvalue` and `stacktrace` null on a new job',
      'fields.new': '`attemptsStarted`, `attemptsMade`, `delay`, `timestamp` of a new job',
      'fields.queue': "`queueQualifiedName` of the job's queue",
      'fields.opts': 'The options that were given are returned',
      'fields.active': '`attemptsStarted` and `processedOn` of an active job',
      'fields.completed': '`returnvalue`, `attemptsMade` and `finishedOn` of a completed job',
      'fields.failed': '`failedReason` and `stacktrace` of a failed job',
      'fields.progress': '`progress` as it was last updated',
    },
  },
  {
    title: 'JobsPage',
    rules: {
      'page.shape': '`start` and `length` as asked for, `counts`, `jobs`',
      'page.counts': '`counts` maps each status to its number',
      'page.jobs': '`jobs` are whole jobs',
    },
  },
  {
    title: 'WorkerMetadata and EndpointOptions',
    rules: {
      'worker.queue': '`queue`: required queue name',
      'worker.parts': '`endpoint`: required; `opts`: optional',
      'endpoint.url': '`url`: valid http or https URL, required',
      'endpoint.method': '`method`: post, get, put, delete or patch, required',
      'endpoint.headers': '`headers` are sent with each call',
      'endpoint.header-strings': '`headers` map strings to strings',
      'endpoint.timeout':
        '`timeout`: maximum duration in ms; then the call is aborted and counts as a failure',
    },
  },
  {
    title: 'WorkerOptions',
    rules: {
      'worker-options.concurrency': '`concurrency`: maximum parallel calls',
      'worker-options.concurrency-default': '`concurrency` is 1 by default',
      'worker-options.limiter': '`limiter`: at most `max` calls per `duration` ms',
      'worker-options.complete-count':
        '`removeOnComplete.count`: maximum number of completed jobs kept',
      'worker-options.fail-count': '`removeOnFail.count`: maximum number of failed jobs kept',
      'worker-options.age':
        '`removeOnComplete.age` and `removeOnFail.age`: maximum age kept, in seconds',
      'worker-options.stalled-count': '`maxStalledCount`: maximum times a job may stall',
      'worker-options.stalled-count-default': '`maxStalledCount` is 1 by default',
      'worker-options.keep-all': 'Rule 1: by default all finished jobs are kept',
      'worker-options.lazy-removal': 'Rule 2: removal is lazy',
      'worker-options.count-and-age': 'Rule 3: `count` and `age` alone or together',
    },
  },
  {
    title: 'Worker listing entry, logs and progress',
    rules: {
      'listing.entry': 'The listing maps each queue name to the endpoint URL',
      'log.lines': 'A log is a plain string, any number per job',
      'progress.value': 'Progress is a number or any JSON value',
    },
  },
  {
    title: 'States and transitions',
    rules: {
      'states.six': 'Six statuses',
      'states.filter': 'The listing filter accepts each of them, or `all`',
      'states.active-counted': '`active` appears in the page counts',
      'states.delay-over':
        'delayed, delay elapsed: available to workers, after at least `delay` ms',
      'states.completed': 'active, answer from 200 to 209: completed, with `returnvalue`',
      'states.failed': 'active, any other status: failed or retried, with `failedReason`',
      'states.timeout': 'active, timeout: failed or retried',
      'states.call-failed': 'active, failed call: failed or retried',
      'states.stalled': 'active, lock missing, stall count not above the limit: waiting',
      'states.stalled-interval': 'The stalled check runs every 30 s by default',
      'states.stalled-too-often':
        'active, stall count above the limit: failed, `job stalled more than allowable limit`',
      'states.removed':
        'completed or failed, removal policy exceeded and another job finishes: removed',
      'states.worker-registered':
        'Registering a worker starts it; registering again replaces its options and restarts it',
      'states.worker-removed':
        'Removing a worker closes it gracefully, so that running jobs do not stall',
    },
  },
  {
    title: 'Queue and job endpoints',
    rules: {
      'add.answer': 'POST `/queues/:queue-name/jobs`: 200 with the complete jobs',
      'add.array': 'A single job must still be wrapped in an array; 400 with a message',
      'list.answer': 'GET `/queues/:queue-name/jobs`: 200 with a page',
      'list.defaults': '`statuses` is `all`, `start` 0 and `length` 10 by default',
      'list.bounds': '`start` is the offset and `length` the maximum number of jobs',
      'list.wrong-query': 'The listing answers 400 with a message for a wrong query',
      'read.answer': 'GET `/queues/:queue-name/jobs/:job-id`: 200 with the job',
      'read.invalid': 'The single-job read answers 400 with `{"error": "Invalid request"}`',
      'progress.answer': 'POST `.../:job-id/progress` with the job token: 200 `OK`',
      'progress.invalid': 'A wrong progress is 400 with the reason',
      'logs.append': 'POST `.../:job-id/logs` with the job token: 200 `OK`',
      'logs.append-invalid': 'A wrong log is 400 with the reason',
      'logs.read': 'GET `.../:job-id/logs`: 200 with `count` and `logs` from `start`',
      'logs.read-invalid': 'A wrong read of logs is 400 with the reason',
      'add.atomic': 'Rule 1: adding is atomic',
      'add.short-path': 'Rule 2: `/queues/:queue-name` takes jobs too',
      'list.not-found': 'Rule 3: a queue without jobs answers the text `Not found`',
    },
  },
  {
    title: 'Worker endpoints',
    rules: {
      'register.answer': 'POST `/workers`: 200 `OK`',
      'register.invalid': 'A wrong registration is 400 with a message',
      'workers.listing': 'GET `/workers`: queue names with endpoint URLs',
      'workers.listed': 'GET `/workers` lists only workers that should be running',
      'workers.removal': 'DELETE `/workers/:queue-name`: 200 `OK`, or 404 `Worker not found`',
      'workers.one-per-queue':
        'Rule 1: at most one worker per queue; posting again overwrites and restarts it',
    },
  },
  {
    title: 'Outbound call to a worker endpoint',
    rules: {
      'call.request': 'The registered `url` is called with the registered `method` and `headers`',
      'call.body': 'Rule 1: the JSON body carries the job and its token',
      'call.success': 'Rule 2: 200 to 209 is success, response data goes to `returnvalue`',
      'call.failure': 'Rule 3: any other status is failure, the message goes to `failedReason`',
      'call.timeout': 'Rule 4: after `timeout` the call is aborted and the job fails',
      'call.bounds': 'Rule 5: at most `concurrency` in parallel, within `limiter`',
    },
  },
  {
    title: 'Endpoints announced but unavailable',
    rules: {
      'unavailable.paths':
        'Repeatable jobs, which were announced, are those of schedulers; a job has no option for it',
    },
  },
  {
    title: 'Authentication',
    rules: {
      'auth.api-token': 'Rule 1: every request carries one of the AUTH_TOKENS',
      'auth.job-token': 'Rule 2: progress and logs require the job token instead',
    },
  },
  {
    title: 'Errors',
    rules: {
      'errors.invalid': 'Invalid request on add, list, register, progress, logs: 400 with a text',
      'errors.invalid-read': 'Invalid request on the single-job read: 400 with `error`',
      'errors.unknown-worker': 'Removing an unknown worker: 404 `Worker not found`',
      'errors.empty-queue': 'Listing a queue without jobs: `Not found`',
      'errors.endpoint-fails': 'Endpoint fails: the job fails with the message',
      'errors.stalled-too-often': 'Too many stalls: the job fails with the text',
    },
  },
  {
    title: 'Limits',
    rules: {
      'limits.queue-name': 'Queue name length, 3 to 100 characters by default',
      'limits.priority': 'Priority, 1 to 2097152',
      'limits.concurrency': 'Concurrency, no upper bound',
      'limits.limiter': 'Limiter, at most `max` jobs per `duration` ms',
      'limits.workers': 'One worker per queue',
      'limits.queue-cache': 'Cached queue instances, QUEUE_CACHE_SIZE',
      'limits.stalled': 'Stalled check interval 30 s, maxStalledCount 1',
      'limits.page': 'Job list page from 0, 10 jobs',
      'limits.success': 'Successful worker status 200 to 209',
    },
  },
  {
    title: 'Events and versioning',
    rules: {
      'events.open': {
        text: 'No event kind and no versioning scheme is given',
        none: 'the specification leaves both open.',
      },
    },
  },
];
