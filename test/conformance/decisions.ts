import type { Section } from './section.ts';

/** What was decided where the specification is silent, by its sections. */
export const decisions: readonly Section[] = [
  {
    title: 'Names',
    rules: {
      'names.defaults': 'WORKER_METADATA_KEY is `jobgate:workers` and the prefix `bull` by default',
      'names.native-clients': 'Native producers, workers and dashboards see the same queues',
    },
  },
  {
    title: 'Requests and answers',
    rules: {
      'body.any-content-type': 'Bodies are parsed as JSON whatever `Content-Type` says',
      'body.log-text':
        'A log line may be text: what is no JSON is the line itself, JSON that is no string is 400',
      'body.any-data': 'Any JSON value is legal as `data`, only an absent one is an error',
      'body.unknown-job-fields': 'Unknown fields of jobs are 400, naming the field by its path',
      'body.unknown-worker-fields':
        'Unknown fields of workers are 400, naming the field by its path',
      'body.no-coercion': 'Types are never coerced',
      'body.priority-zero': 'Priority 0 is legal and means none',
      'body.job-id': 'Job ids that the library refuses are 400',
      'body.queue-name': 'Queue names with `:` or control characters are 400',
      'backoff.types': '`backoff` has type exponential, linear (delay × attempts made) or fixed',
      'backoff.number': 'A bare number as `backoff` means fixed',
      'adding.all-or-nothing': 'Adding is all or nothing, also when the store fails half way',
      'adding.large':
        'An add or a flow of more jobs than one short step stores does what a small one does, and nobody sees a part of it',
      'adding.empty': 'An empty array answers `200 []`',
      'adding.due-first': 'A due job goes to the head of the waiting jobs, on every adapter',
      'adding.retries-first': 'Retries with backoff go to the head of the waiting jobs too',
      'query.statuses': '`statuses` takes any of six, and `all`',
      'query.counts': '`counts` always carries every status',
      'query.partition':
        'Pages over several statuses partition the result, never more than `length`',
      'query.numbers': 'Numbers in the query are whole decimal numbers or 400',
      'query.nothing':
        'A queue that holds no job is 404 `Not found`, a page that is merely empty is 200',
      'query.unknown-job': 'Unknown job id: 404 `{"error":"Job not found"}`',
      'query.logs': 'Logs: `start` 0 and `length` 10 by default, `count` is the total',
      'routes.worker': 'GET `/workers/:queue`: the worker, header values redacted, or 404',
      'routes.alias': 'POST `/queues/:queue` is an alias',
      'answers.problem': 'Errors are plain text, RFC 9457 for who asks for it',
      'answers.unauthorized':
        '401 with `WWW-Authenticate: Bearer`, and `error="invalid_token"` if there was a token (RFC 6750)',
      'answers.unknown-route': '404 for an unknown route',
      'answers.method-not-allowed': '405 with `Allow`',
      'answers.conflict': '409 for a wrong state',
      'answers.too-large': '413 for a body over MAX_BODY_SIZE',
      'answers.unavailable':
        '503 with `Retry-After` while the store is away, within 2 s and never hanging',
      'answers.no-5xx': "A client's mistake is never a 5xx",
      'answers.nothing-internal': 'Internal messages and stacks never leave the process',
      'tokens.none': 'Without AUTH_TOKENS every request is 401, and the log says so once',
      'tokens.trimmed': 'Tokens are trimmed, empty ones dropped',
      'tokens.constant-time': 'Tokens are compared in constant time: by their digests',
      'tokens.scheme': 'The scheme `Bearer` is case-insensitive',
      'tokens.never-logged': 'Tokens and header values are never logged',
    },
  },
  {
    title: 'Limits',
    rules: {
      'bounds.page-length': '`length` of a page or of logs is 0 to 1000, beyond it 400',
      'bounds.pieces': 'A page is read in pieces, and its answer is streamed',
      'bounds.answer-memory': 'Large answers cost a bounded memory, whether or not they are read',
      'bounds.store-time': 'No command holds an otherwise idle store longer than 10 ms',
      'bounds.jobs-per-add':
        'More than MAX_JOBS_PER_ADD jobs in an add are 413, which names the limit',
      'bounds.truthful-add': 'An add that is answered with 503 is not stored, also the largest',
      'bounds.short-stall':
        'What comes while the store is silent, or its connection lost, for less than 1.5 s waits for it, and its first answer lets all go on',
      'bounds.repeated-id': 'An id that stands in a batch several times is looked up once',
      'bounds.existing-jobs':
        'An answer that existing jobs would bring over 64 MB holds their `id` alone',
      'bounds.json': 'JSON is nested to 500 levels and holds 500,000 values a body, else 400',
      'bounds.large-body': 'No body of 10 MB delays other requests by more than 300 ms',
      'bounds.own-pause': 'A pause of the own event loop never counts as an outage of the store',
      'bounds.numbers': 'A number that a double cannot hold is 400 with its path',
      'bounds.answer-numbers': "A number in an endpoint's answer is kept as a double does",
      'bounds.reports': 'A progress value or a log line over 64 kB is 413',
      'bounds.log-lines': 'A job keeps its last 1000 log lines, or as many as its `keepLogs` says',
      'bounds.events': 'Events carry no value beyond 1 kB',
      'bounds.job-id':
        '`jobId` has 1 to 255 characters, no control characters, and is neither `.` nor `..`',
      'bounds.invisible-job-id':
        '`jobId` has no invisible character and none that turns the direction of text, but for the joiners of scripts and emoji',
      'bounds.queue-prefix': 'QUEUE_PREFIX has no `:`',
      'bounds.limiter-window': '`limiter` holds for any window of `duration`, wherever it begins',
      'bounds.all-mistakes': 'The answer lists all mistakes of a request, up to ten, one a line',
      'bounds.blank-status': 'A blank after a comma in `statuses` is nothing',
      'bounds.reason':
        '`failedReason` understands `detail` or `title` of RFC 9457 and `error.message`',
      'bounds.shortage':
        'A shortage of the replica is no attempt: the job goes back, and the replica takes fewer',
    },
  },
  {
    title: 'The call to a worker endpoint',
    rules: {
      'delivery.body': 'Body `{"job": ..., "token": ...}` with the whole job, for every method',
      'delivery.headers': '`Content-Type` and `User-Agent`, unless the registration overrides them',
      'delivery.failure': 'Everything but 200 to 209 fails the attempt',
      'delivery.redirects': 'Redirects are never followed',
      'delivery.errors': 'Connection errors and timeouts fail the attempt',
      'delivery.returnvalue':
        '`returnvalue`: JSON parsed, broken JSON and others as text, nothing as null',
      'delivery.max-size': 'An answer over MAX_RESPONSE_SIZE fails the attempt and says so',
      'delivery.reason': "`failedReason`: the answer's own message, or its status",
      'delivery.reason-html':
        'An HTML page that is no success has `HTTP 502 Bad Gateway` and its text without tags for a reason',
      'delivery.doubt':
        'An answer that declares to be JSON and is not completes the job with its text; the attempt says so, and the log once a minute for each queue',
      'delivery.reason-cut': '`failedReason` is cut at 1 kB',
      'delivery.timeout-reason':
        '`failedReason` on timeout: `Endpoint call timed out after ... ms`',
      'delivery.connection-reason': '`failedReason` on a connection error: its code and target',
      'delivery.timeout-scope': '`timeout` covers connecting, headers and the whole body',
      'delivery.timeout-after-pause':
        'An answer that came in time wins, also when the process was paused until the time was up',
      'delivery.stale-connection':
        'A call over a kept connection that is closed before any byte of an answer goes out once more over a new one, as the same attempt and within its time',
      'delivery.default-timeout':
        'DEFAULT_ENDPOINT_TIMEOUT applies to an endpoint without a timeout',
      'job-token.random': 'The job token has 128 random bits or more, not derivable from another',
      'job-token.one-job': 'The job token is bound to one job',
      'job-token.dead': 'The job token is dead when the attempt ends or its lock is lost',
      'job-token.wrong': 'A wrong job token is 401',
    },
  },
  {
    title: 'An attempt is its token (ADR 0005)',
    rules: {
      'attempts.made-up': 'No made-up token holds a job, even once its lock ran out',
      'attempts.token-alone':
        'The token alone is enough on any replica, as long as the job was not started anew',
      'attempts.other-attempt': 'The token of another attempt of the job is refused',
      'attempts.claimed-again':
        'A claim whose answer was lost is given its attempt when it asks again',
      'attempts.next-claim':
        'A claim that asks again after its attempt ended is given the next job',
      'attempts.crossing-renewal':
        'A renewal of locks that crosses the end of an attempt on its replica reports no lost job',
      'attempts.native-tokens': 'Lock tokens of native workers are no job tokens',
    },
  },
  {
    title: 'Workers and replicas',
    rules: {
      'record.start': 'The stored record is the truth, read at the start',
      'record.wake-up': 'The stored record is read on every wake-up',
      'record.reconnect': 'The stored record is read after every reconnect',
      'record.interval': 'The stored record is read every 15 s',
      'record.one': 'A change reads one worker; the whole record is read a few workers at a time',
      'record.unchanged':
        'What has not changed of the stored record is neither parsed nor compared',
      'workers.most': 'There are at most 10,000 workers: 409',
      'workers.headers': 'A new worker has at most 8 kB of headers; stored ones with more run',
      'record.burst': 'No burst of changes leaves a replica wrong',
      'record.outage': 'No outage leaves a replica wrong',
      'record.failover': 'No failover leaves a replica wrong',
      'record.bad': 'One bad record of a worker never stops the others',
      'signals.listeners': 'A signal reaches all listeners on all replicas',
      'signals.ended': 'A signal does not reach those that ended their listening',
      'signals.dead-connection': 'A connection that died without a word is noticed within 5 s',
      'signals.quiet-connection': 'A connection on which nothing happens is kept',
      'signals.unknown': 'Any other message is that of an older replica, and wakes all that listen',
      'replicas.concurrency': '`concurrency` bounds the calls of all replicas together',
      'replicas.limiter': '`limiter` bounds the rate of all replicas together',
      'replicas.replacing':
        'Replacing starts the new settings at once, running calls finish under the old',
      'replicas.removing': 'Removing a worker lets running calls finish',
      'shutdown.readiness': 'SIGTERM: readiness goes false',
      'shutdown.no-job': 'SIGTERM: no job is taken',
      'shutdown.drain':
        'SIGTERM: requests are served for DRAIN_TIME, each answer with `Connection: close`',
      'shutdown.interrupt':
        'SIGINT: the time in which requests are served ends once nobody is connected',
      'shutdown.port-closes': 'SIGTERM: then the port closes, and requests in flight finish',
      'shutdown.graceful': 'SIGTERM: running calls finish, exit code 0',
      'shutdown.timeout': 'SHUTDOWN_TIMEOUT bounds all of that',
      'shutdown.kill': 'A kill -9 loses nothing',
    },
  },
  {
    title: 'Configuration',
    rules: {
      'settings.store': 'STORE: `redis` by default, or `memory`',
      'settings.tls-ca': 'STORE_TLS_CA: authorities that are trusted',
      'settings.tls-cert':
        'STORE_TLS_CERT and STORE_TLS_KEY: the certificate that the service shows',
      'settings.cluster-nodes': 'STORE_CLUSTER_NODES: nodes of a Redis Cluster',
      'settings.sentinels':
        'STORE_SENTINELS and STORE_SENTINEL_MASTER: a master that Sentinels name',
      'settings.pause':
        'A replica that stands still for less than LOCK_DURATION keeps its jobs, and after a longer pause it calls for none that it lost',
      'settings.stalled-check': 'LOCK_DURATION and STALLED_INTERVAL, for the stalled check',
      'settings.web-concurrency': 'WEB_CONCURRENCY, processes behind one port',
      'settings.max-connections': 'MAX_CONNECTIONS, open at once',
      'settings.metrics-port': 'METRICS_PORT: where the metrics are read without a token',
      'settings.metrics-queues': 'METRICS_QUEUES: how many queues have a name in the metrics',
      'settings.sight-queues':
        'SIGHT_QUEUES: how many queues are looked at for lists in another order than by name',
      'settings.max-jobs-per-add': 'MAX_JOBS_PER_ADD, jobs of one request',
      'settings.drain-time': 'DRAIN_TIME, how long requests are still served after SIGTERM',
      'settings.webhook-client': 'WEBHOOK_CLIENT and LOG_FORMAT',
      'settings.checked': 'Every variable is checked at start',
      'settings.all-mistakes':
        'All mistakes are printed together, each naming its variable, exit code 1',
    },
  },
];
