import type { Section } from './section.ts';

/** What goes beyond the specification, by its sections. */
export const beyond: readonly Section[] = [
  {
    title: 'Conventions',
    rules: {
      'reserved.job-ids': '`search` and `claim` are refused as custom ids',
    },
  },
  {
    title: 'Jobs',
    rules: {
      'actions.unknown': 'Every action answers 404 for an unknown job',
      'actions.refused':
        '409 `Job is completed`, its real state, where that does not allow the action, and nothing is changed',
      'actions.one-winner': 'Races between replicas end in exactly one winner',
      'actions.remove': 'DELETE `/queues/:queue/jobs/:id` removes a job, 409 while it is active',
      'actions.promote': 'Promote: a delayed job becomes waiting, or prioritized',
      'actions.retry':
        'Retry: a finished job waits again with no attempt made, and new options and data if given',
      'actions.change':
        'PATCH changes the data of an unfinished job that is not active, the priority of a waiting one, the delay of a delayed one',
      'cancel.fails':
        'Cancel: an unfinished job fails for good with `Cancelled` or the reason; an attempt counts if one ran',
      'cancel.token': 'The attempt that ran has lost the job from then on, and its token is dead',
      'cancel.place':
        'A call whose job was cancelled counts for `concurrency` until it is over, or until its lock would have run out',
      'cancel.aborts': 'A running call is aborted within 1 s on whatever replica it runs',
      'cancel.dead-replica':
        'A job is cancelled also when the replica that ran it is dead, hangs or is cut off',
      'cancel.slot': 'The slot of a cancelled job is free at once, for any replica',
      'cancel.retention': 'A cancelled job is kept as one that failed',
      'cancel.races':
        'Whatever else is done to the job at the same moment, one wins and every job counts once',
      'cancel.waiting-children':
        'A job that waits for its children is cancelled too; a parent of a cancelled job goes on as after any failure',
      'cancel.deduplication': 'The deduplication of a cancelled job ends as when it fails',
      'cancel.schedulers': 'A scheduler whose next job is cancelled plans the one after it',
      'cancel.native': 'A native worker that runs a cancelled job finds its lock missing',
      'attempts.record':
        'GET of the attempts of a job answers how many were made and how each ended',
      'attempts.outcomes':
        'An attempt completed, failed, timed out, was refused a connection, stalled or was cancelled',
      'attempts.last-ten':
        'The last ten attempts are on record, the first kB of each answer; a retry by hand counts on',
      'attempts.removed': 'The record of its attempts goes with the job',
      'attempts.not-shown': 'What reads, lists or takes a job neither shows nor transfers it',
      'actions.nothing-to-change': 'PATCH with nothing to change is 400',
      'actions.no-body': 'A body whose fields are all optional may be absent',
      'actions.native': 'Native clients find of an action what their own library leaves',
    },
  },
  {
    title: 'Results',
    rules: {
      'result.ended':
        'GET `.../:id/result` answers 200 with `state` and `returnvalue` or `failedReason` once the job has ended',
      'result.wait':
        'It waits for the end for `timeout` ms, 0 to 60000, on whatever replica it comes',
      'result.time-up': '202 with `state` when time is up',
      'result.unknown': '404 for an unknown job',
      'result.removed': 'Waiting requests get the result of a job that is removed when it ends',
      'result.lost-wake-up': 'A lost wake-up is made good by looking at the job',
      'result.left': 'A client that has left is not waited for',
      'prefer-wait.ended':
        '`Prefer: wait=30` on an add of one job answers 200 with the array of the job as it ended, and `Preference-Applied`',
      'prefer-wait.removed':
        'For a job that is removed when it ends, the answer has what its end reported',
      'prefer-wait.time-up':
        '202 with the array as it was added when the job has not ended in time',
      'prefer-wait.bounds': 'A longer wait than 60 s is cut to that',
      'prefer-wait.header': 'Preferences that are unknown or malformed are ignored (RFC 7240)',
      'prefer-wait.one-job': 'An add of several jobs is answered at once',
      'prefer-wait.existing': 'A job that exists or stands for the new one is waited for',
      'prefer-wait.idempotency': 'It goes together with `Idempotency-Key`',
      'prefer-wait.refused': 'An add that is refused is refused at once, and stores nothing',
      'prefer-wait.left':
        'The wait ends when its client leaves, and with 202 when the service begins to end',
      'result.shutdown': 'At SIGTERM waits end first, with 202',
    },
  },
  {
    title: 'Events',
    rules: {
      'events.follow':
        'GET `/queues/:queue/events` streams what happens in a queue as Server-Sent Events, in order',
      'events.names':
        'Events of native workers, other replicas and operators have the names of the contract',
      'events.values':
        'Data has `queue`, `timestamp` and, for events of a job, `jobId`; return values beyond 1 kB are left out',
      'events.selection': '`events` and `job` select',
      'events.resume': 'After its Last-Event-ID a client gets every kept event once',
      'events.gap':
        'Events that were missed and are not kept become a `gap` with the ids `from` and `to`',
      'events.kept': '`EVENTS_KEPT` bounds what a queue keeps; it goes with the queue',
      'events.comment': 'A comment comes every 15 s, over a WebSocket a ping',
      'events.one-reader': 'One reader of a replica serves all subscribers of a queue',
      'events.replicas': 'Each replica streams what happens on any',
      'events.slow-reader':
        'A subscriber that does not read is closed after a gap (a WebSocket with 1013), and its events are not gathered',
      'events.web-socket':
        'A WebSocket on the same path sends `{id, event, data}` as JSON and resumes with `lastEventId`; mistakes are refused as for a request',
      'events.web-socket-position':
        'A WebSocket begins with `{id}`, to which a client may come back, and repeats it with each ping',
      'events.early-frames': 'Frames that come along with the request for a WebSocket are taken',
      'events.give-way': 'Many subscribers that are served at once give way to other requests',
      'all-events.follow':
        'GET `/events` streams what happens in all queues, in one order, over Server-Sent Events and WebSockets',
      'all-events.queues':
        '`queues` selects by names and patterns; queues that come later are followed, deleted ones leave',
      'all-events.selection': '`events` selects',
      'all-events.resume':
        'Its id is an opaque cursor: after it a client gets every kept event of every queue once',
      'all-events.replicas': 'A cursor from one replica is valid on any',
      'all-events.cursor': 'A cursor is no longer however many queues there are',
      'all-events.gap':
        'Events that were missed and are not kept become one `gap` for each queue, with its name',
      'all-events.clock':
        'Every queue gets a `gap` when the clock of the store is behind events already sent',
      'all-events.slow-reader':
        'A subscriber that does not read is closed after a gap for each queue that it missed events of',
      'all-events.tickets':
        'A ticket for some queues follows those alone; asking for others, or a wider pattern, is 403',
      'all-events.mistakes': '400 names `queues`, `events`, `lastEventId` or `Last-Event-ID`',
      'all-events.short-steps':
        'No command that follows all queues takes longer than 10 ms, and none runs while no client follows',
      'events.web-socket-origin': 'A page opens a WebSocket with a ticket alone, else 403',
      'tickets.issue':
        'POST `/tickets` answers `{ticket, expires}`; the ticket stands in for a token on the paths of events',
      'tickets.pages':
        'With a ticket a page of any site may read the answer; without one no page of another site can',
      'tickets.bounds': 'A token has 1000 tickets a minute; the oldest ends',
      'tickets.once': 'A ticket is good once, on one of all replicas',
      'tickets.time': 'A ticket is good for 60 s',
      'tickets.grant': 'Another queue, or other events, than those of the ticket is 403',
      'events.left': 'Nothing is read for a client that has left',
      'events.shutdown':
        'At SIGTERM streams end first, with the time to come back, and WebSockets with 1001',
    },
  },
  {
    title: 'Failures, search and repair',
    rules: {
      'failures.groups':
        'GET `/queues/:queue/failures` groups failed jobs by cause, the most frequent first',
      'failures.window': 'At most the latest `window` failed jobs are looked at, up to 10000',
      'failures.masked': 'Digits, ids and quoted parts of reasons are masked to group them',
      'failures.cancelled':
        'A job that was cancelled after its last attempt has no status, in causes and in searches',
      'failures.status': '`status` is that of the last answer, null when there was none',
      'search.filter':
        'GET `/queues/:queue/jobs/search` finds jobs by statuses, name, reason, status, time of adding and data',
      'search.steps':
        'A call looks at up to 1000 jobs and returns up to `length` (100); `cursor` null is the end',
      'search.short-steps': 'Jobs are looked at by steps of 256 kB, a larger one by itself',
      'search.time': 'A search answers after 30 s, with a cursor to go on',
      'search.cursor':
        'A job that stays in its state for the whole search is found exactly once if it matches',
      'repair.filter':
        'POST `/queues/:queue/{retry,promote,clean,cancel}` repairs the jobs that match a filter',
      'repair.all':
        '`clean` with `all` takes completed and failed jobs, `retry` with `all` failed ones',
      'repair.required':
        'Neither `filter` nor `all`, or an empty filter, is 400 `filter or all is required`; both are 400',
      'repair.limit': '`matched` counts before `limit`; `done` are repaired, `remaining` are left',
      'repair.dry-run': '`dryRun` changes nothing and adds `samples`',
      'repair.skipped': 'A job that changed state meanwhile is skipped',
      'repair.interrupted':
        'A repair of which the store fails midway answers with what is done; before anything is done, it is 503',
      'repair.short-steps': 'No command holds an otherwise idle store longer than 10 ms',
      'repair.no-queue': 'For a queue that does not exist all of these answer empty',
    },
  },
  {
    title: 'Queues',
    rules: {
      'queues.list': 'GET `/queues` lists the queues by name, in pages of up to 1000',
      'queues.list-name': 'Of the pattern `name` only the star is special',
      'queues.registry':
        'A queue is listed from its first add, pause, hold or worker on, until it is deleted',
      'queues.discover': '`discover=true` also finds the queues of native clients',
      'queues.read':
        'GET of a queue answers its counts, its worker and whether it is paused, or 404',
      'queues.oldest-waiting':
        '`oldestWaiting` is the age of the oldest waiting or prioritized job',
      'queues.pause': 'A paused queue accepts jobs and starts none; running calls go on',
      'queues.resume': 'The jobs of a queue that is resumed start, on all replicas',
      'queues.create': 'A pause creates the queue',
      'queues.drain': 'A drain removes waiting and prioritized jobs, and delayed ones on request',
      'queues.drain-schedulers': 'The next job of each scheduler stays',
      'queues.remove':
        'DELETE of a queue removes it with its jobs, schedulers and worker, 400 unless its name confirms it',
      'queues.remove-active': '409 while jobs are active, and nothing is done, unless it is forced',
      'queues.remove-force': 'A forced removal takes active jobs too and aborts their calls',
      'queues.remove-adds':
        'A job that is added while its queue is removed is removed whole or stands whole',
      'queues.remove-keys': 'Keys of deduplication and of the service go with their queue',
      'queues.native': 'Native clients follow a pause, and are followed when they pause',
    },
  },
  {
    title: 'Not now',
    rules: {
      'defer.queue':
        '429 or 503 with `Retry-After` defers the job and holds its queue: it goes back to the head of its place',
      'defer.no-attempt': 'A deferral is no attempt: `attemptsMade` is unchanged',
      'defer.order':
        'Jobs that go back before another one starts keep the order in which they had started',
      'defer.calls':
        'After the first such answer no further call starts until the hold ends, but those that run end',
      'defer.job':
        '`Jobgate-Hold: job` in the answer, or `hold: "job"` in the options, delays that job alone',
      'defer.at-once': '`Retry-After: 0` puts the job back at once',
      'defer.retry-after': '`Retry-After` is a number of seconds or an HTTP date',
      'defer.broken-retry-after': 'A broken `Retry-After` is as none',
      'defer.without-header':
        'Without `backpressure` and without the header the attempt fails, as the specification says',
      'defer.statuses':
        '`backpressure.statuses`, 429 and 503 unless given, defer with and without the header',
      'defer.backoff':
        'Without the header it is for 1, 2, 4, ... up to 60 s, with full jitter, by the number of deferrals',
      'defer.max-hold':
        '`backpressure.maxHold`, a day unless given, bounds what an answer may ask for',
      'defer.max-deferrals':
        'Beyond `backpressure.maxDeferrals`, 100 unless given, the attempt counts and may be retried as usual',
      'defer.count': 'Deferrals are counted since the job was added or retried by hand',
      'defer.other-status':
        '`Retry-After` on another failing status sets the pause before the next attempt, which counts',
      'defer.retry-for':
        'A job that could not be tried again within `retryFor` fails with the reason of the answer',
      'defer.ttl': 'A job whose first attempt was deferred does not expire any more',
      'defer.record':
        'A deferral is on record, under the number of the attempt that it puts off, and does not add to `count`',
      'defer.counted':
        'Deferrals are counted in the metrics; the log has one line for a hold that begins',
      'defer.end': 'What was put back starts when the hold is ended early, too',
      'defer.native': 'Native workers know nothing of a hold, and process the jobs of a held queue',
      'hold.queue': 'No job of a held queue starts until then, on no replica',
      'hold.latest': 'The latest end of several holds wins',
      'hold.running': 'Calls that run when a queue is held go on, and end as they do',
      'hold.post': 'POST `/queues/:queue/hold` `{for}`, 1 to 86400000 ms, answers `{until}`',
      'hold.end': 'DELETE `/queues/:queue/hold` ends it, repeatable; all replicas go on at once',
      'hold.read': 'GET of a queue has `heldUntil`, null when it is not held',
      'hold.holder':
        '`heldBy` says who asked for the end of the hold: the endpoint in an answer, or a caller of the API',
      'hold.create': 'A hold creates the queue; to end one of a queue that is not there is 404',
      'hold.removed': 'The hold goes with its queue',
    },
  },
  {
    title: 'Schedulers',
    rules: {
      'schedulers.save':
        'PUT of `/queues/:queue/schedulers/:id` stores a scheduler in place of any other, creates the queue and answers it',
      'schedulers.list':
        'GET of `/queues/:queue/schedulers` is an array; 404 where there is no queue',
      'schedulers.page':
        'The list of schedulers is a page of at most 100, by `start` and `length`, the next to make a job first',
      'schedulers.all':
        'GET `/schedulers` lists those of all queues, or of some by pattern: the next first and paused ones last, or by queue',
      'schedulers.dry-run':
        'PUT with `dryRun=true` answers the scheduler with its next slots, and stores nothing',
      'schedulers.most': 'A queue has at most 10,000 schedulers; one more is 409',
      'schedulers.template': 'The data of a scheduler is at most 64 kB, and its name; more is 413',
      'schedulers.no-time':
        'A pattern without a time within ten years is 400, before the search for one takes 10 ms',
      'schedulers.next': 'A scheduler is shown with its next five slots and its last job',
      'schedulers.mistakes': 'What cannot be a scheduler is 400 with the path of the field',
      'schedulers.pattern': 'Cron patterns have five fields, or six that begin with the seconds',
      'schedulers.summer-time':
        'A time that does not exist comes an hour later, one that exists twice comes once; where clocks change by half an hour the first is left out',
      'schedulers.slots': 'Each slot makes one job, which is what the scheduler says',
      'schedulers.one-job': 'One slot makes one job, whatever the number of replicas',
      'schedulers.limit': '`limit` is how many jobs it makes, failed ones included',
      'schedulers.dates': 'No job is made before `startDate` and after `endDate`',
      'schedulers.immediately': '`immediately` makes the first job of a pattern at once',
      'schedulers.missed': 'Slots that pass while nothing takes jobs are skipped',
      'schedulers.replace':
        'An upsert takes the next job away and goes on with the new terms, once',
      'schedulers.replace-same':
        'One that is stored again with the same times goes on from where it stands: no slot is left out, none comes twice, and its last job is known still',
      'schedulers.overlap':
        '`overlap: skip` skips the slots that come while the job before has not ended, whatever that waits for; the next one stays planned, a skipped one does not count for `limit`',
      'schedulers.overlap-run': 'Jobs of `.../run` neither are skipped nor make a slot be',
      'schedulers.overlap-native':
        'A slot is skipped while a native worker runs the job before; one that takes such a job starts it, and a native client that stores the scheduler anew ends it',
      'schedulers.example': 'An example in `examples/` makes a report each night',
      'schedulers.remove': 'DELETE removes it and its next job, or is 404; a job that runs goes on',
      'schedulers.next-job':
        'The next job of a scheduler is not removed by itself, and the scheduler goes on when it is cancelled',
      'schedulers.pause':
        'POST of `.../pause` takes the next job away and has none made, POST of `.../resume` goes on with the next slot to come; both are `OK`, also again',
      'schedulers.paused': '`paused` stores a scheduler that makes no job until it is resumed',
      'schedulers.run-by-hand':
        '`lastRunByHand` is the last job of `.../run`, also after the scheduler is stored again',
      'schedulers.run':
        'POST of `.../run` adds a job of the template now and answers it; neither `limit` nor the schedule know of it',
      'schedulers.policy': 'Defaults of policies are written into its jobs',
      'schedulers.queue': 'Schedulers go with their queue',
      'schedulers.native':
        'Schedulers of native clients are listed and changed here, and those made here are known to them',
    },
  },
  {
    title: 'Options, policies, keys',
    rules: {
      'job-options.retention':
        '`removeOnComplete` and `removeOnFail` of a job go before the rule of its worker: a boolean, a count, or count and age',
      'job-options.retention-zero':
        'A rule with `count` 0 removes the job that ends, and none that ended before',
      'job-options.retention-age':
        'At most 1000 jobs go for their age when one ends, the latest of them first',
      'job-options.keep-logs': '`keepLogs` is how many lines the log of a job keeps',
      'fields.priority':
        '`priority` and `deduplicationId` of a job that has them, as bullmq-proxy returns them',
      'job-options.backoff-plain': 'A `backoff` without `delay` waits 0 ms, as in BullMQ',
      'job-options.backoff-jitter': '`backoff.jitter` leaves a part of the wait to chance',
      'job-options.backoff-max-delay': '`backoff.maxDelay` bounds the wait, a day unless given',
      'job-options.backoff-native':
        'A native worker ends the attempt of any job that is added here',
      'job-options.retry-for':
        '`retryFor` ms after the add no further attempt starts; the last reason stands',
      'ttl.claim': 'A claim fails a job whose `ttl` is over, without a call, and takes the next',
      'ttl.first-attempt': 'A job whose first attempt started within its `ttl` does not expire',
      'ttl.sweep': 'Jobs that are not claimed expire too, wherever they wait, each once',
      'policy.order':
        'An option of a job comes from the job, the policy of its queue, that of all queues, the specification',
      'policy.defaults':
        'Defaults of a policy are written into a job when it is added, and seen in the answer',
      'policy.replicas':
        'A policy is in force at once on the replica that answered, and soon on all',
      'policy.starts':
        'Once a policy was answered, no job starts on that replica under the one before it',
      'policy.calls':
        'PUT, GET and DELETE of the policy of a queue and of all queues; 404 without one',
      'policy.creates': 'The policy of a queue creates the queue, which shows it',
      'policy.max-job-size': 'Over `maxJobSize` an add is 413 and nothing is stored',
      'policy.max-waiting':
        'Over `maxWaiting` waiting and prioritized jobs an add is 429 with `Retry-After`, and nothing is stored',
      'policy.max-waiting-counts':
        'Only jobs that would be stored and wait at once count; a retry and a delayed job that falls due are never refused',
      'policy.max-waiting-races':
        'It holds exactly under concurrent adds on several replicas, however they are stored',
      'policy.max-waiting-repeat':
        'A refused add is not remembered by its `Idempotency-Key`, and a repeat is not refused',
      'job-options.timeout': '`timeout` bounds the call for a job where the endpoint allows more',
      'deduplication.answer':
        'While a job stands for a deduplication id, an add of that id answers it, with `deduplicated: true`',
      'deduplication.batch':
        'A batch may mix such jobs with others; it is added whole or not at all',
      'deduplication.end': 'A job stands for its id until it completes, fails or is removed',
      'deduplication.ttl': 'With `ttl` it stands for that time, even when it has ended',
      'deduplication.extend': '`extend` begins the time anew',
      'deduplication.replace': '`replace` takes the place of a delayed job',
      'deduplication.reschedule': '`reschedule` gives a delayed job the delay of the new one',
      'deduplication.keep-last':
        '`keepLastIfActive` adds the last job of an id when the active one has ended',
      'deduplication.read':
        'GET `/queues/:queue/deduplication/:id` returns which job stands for an id, or 404',
      'deduplication.delete': 'DELETE of it lets the next job be added, or is 404',
      'deduplication.races': 'Of concurrent adds on several replicas one adds',
      'deduplication.native': 'Native clients deduplicate by the same keys, in both directions',
      'idempotency.replay':
        'An add with the `Idempotency-Key` and body of an earlier one answers its jobs, with `Idempotent-Replayed: true`',
      'idempotency.policy':
        'A repeat is answered as the first add, whatever policy there is by then',
      'idempotency.flows':
        'A flow is added once for its `Idempotency-Key`, as jobs are, and a repeat answers its tree',
      'idempotency.other-body': 'Another body, compared byte by byte, is 422',
      'idempotency.in-progress': '409 while the first add is in progress',
      'idempotency.unsettled':
        'A repetition that the store takes no changes for is 409 with Retry-After while the first add may still be stored',
      'idempotency.once': 'Of concurrent repeats on several replicas one adds',
      'idempotency.existing': 'Jobs that had existed before the first add are answered as they are',
      'idempotency.scope': 'A key is good for its token and path',
      'idempotency.time': 'A key is forgotten after 24 hours',
      'idempotency.only-success': 'Only adds that were answered with 2xx are remembered',
      'idempotency.header': 'A key of other than 1 to 255 printable characters is 400',
      'idempotency.quoted':
        'A key as a structured string (RFC 8941) is the same key as its content without quotes',
      'idempotency.bounds': 'A queue remembers a bounded number of adds, the latest ones',
      'idempotency.secret': 'Neither tokens nor bodies are kept, but their digests',
    },
  },
  {
    title: 'Calls to endpoints',
    rules: {
      'calls.method-case': '`endpoint.method` is taken in any case and returned in lower case',
      'calls.headers':
        'The headers of every call name its queue, its job, the attempt, how many there may be, and how long the call may take',
      'calls.header-values':
        'In values `%` and everything outside of printable ASCII is percent-encoded',
      'calls.body-data':
        '`endpoint.body: data` sends the data of the job, a string as text, and the token as `Jobgate-Token`',
      'calls.body-none': '`endpoint.body: none` sends no body, and the token as `Jobgate-Token`',
      'calls.success':
        '`endpoint.success` names the statuses and ranges of them that complete a job',
      'calls.no-retry':
        '`webhook-delivery: abort-message` or `Jobgate-No-Retry: true` in a failing answer fails the job for good',
      'signing.verified':
        'Calls of an endpoint with `signing` are verified by the public library of Standard Webhooks',
      'signing.id':
        '`webhook-id` is `msg_` and a digest of queue, id and timestamp of the job, the same over attempts',
      'signing.secret-once':
        'The secret is shown once, by the registration that made it; registering again keeps it and answers `OK`',
      'signing.rotation':
        'POST `/workers/:queue/rotate-secret` answers another secret; the one before signs too, for 24 hours',
      'signing.most-secrets':
        'A rotation that would have a tenth former secret sign is 409: each signs for its 24 hours',
      'signing.refused': 'Rotating the secret of an unsigned worker is 409, of an unknown one 404',
      'signing.dropped': 'Registering without `signing` drops the secrets',
      'signing.one-winner':
        'Concurrent registrations and rotations on several replicas return no secret that is not stored',
      'signing.hidden': 'Secrets appear in no read, no log line and no error',
      'calls.own-headers':
        'A registration may set no header that jobgate itself sets or that frames the request',
    },
  },
  {
    title: 'Sight',
    rules: {
      'digests.interval':
        'With `digest=1000` (250 to 60000) both event paths report at most once an interval of each queue what happened, its counts, the age of its oldest waiting job, and why nothing starts',
      'digests.whole':
        '`events` does not narrow what a digest counts; a ticket for some events does',
      'digests.job':
        'With `job`, the events of that job come beside the digests, narrowed by `events`',
      'digests.resume': 'A stream of digests resumes behind the last one',
      'digests.mistakes': 'A digest outside of 250 to 60000 is 400 and names `digest`',
      'figures.steps':
        'GET `/queues/:queue/figures` reports what happened by minute, kept for 25 hours, or by hour, kept for 30 days',
      'figures.query':
        'The answer begins at a multiple of `step`; the last hour by default; more than 1500 steps are 400',
      'figures.gaps': 'A step that nobody counted is null, one in which nothing happened 0',
      'figures.replicas': 'The sums over replicas are exact',
      'figures.all': 'GET `/figures` reports the same of all queues together',
      'figures.backlog': 'How much waited, and since when, is that of the end of the step',
      'figures.cost':
        'A replica writes what it counted every eight seconds, and only when it is new',
      'figures.recent':
        'GET `/queues?view=figures` adds the worker with its state, `blocked`, rates, the rate of failure and completions by minute',
      'figures.failing':
        'A queue is `failing` when more than a fifth of ten or more jobs that ended in an hour failed, or all of three or more in 24 hours',
      'figures.lists':
        'With a `sort` but the name, or a `state`, the first `SIGHT_QUEUES` queues are listed from a view of at most 5 s',
      'summaries.fields':
        'With `view=summary` jobs come without data, results and stack traces: dueAt, the last status, the parent and the size of the data in their place',
      'summaries.lists': 'Lists, searches and a single job take `view=summary`',
      'summaries.values':
        'GET `…/:id/data` and `…/:id/returnvalue` answer the JSON value alone, in parts with `Range` (206, 416), with an `ETag` for `If-Range`',
      'waiting-children.counts':
        '`counts` of queues and the metrics count the jobs that wait for children; those of a list only on request',
      'waiting-children.listed':
        'Lists, searches and bulk repairs take the status `waiting-children`',
      'waiting-children.stuck':
        'GET `/queues/:queue` reports as `stuckParents` how many jobs wait for a child that failed for good',
      'workers.health-list':
        'GET `/workers?view=health` lists the workers by queue with their health, on request of one state',
      'calls.latest':
        'GET `/workers/:queue/calls` lists the last 50 calls over all replicas, newest first, at most 10 s old',
      'workers.test':
        'POST `/workers/:queue/test` calls the endpoint once, in every state of the worker, with the job `test` and the header `Jobgate-Test: true`; it counts nowhere',
      'workers.change':
        'PATCH `/workers/:queue` changes a worker by a JSON merge patch in one step: header values, secrets and the state stay unless it names them, and header values go to no other origin',
      'system.store':
        'GET `/system` says what the store is and how full its memory is, and what an operator should change',
      'system.database':
        'On PostgreSQL, `/system` and the metrics have the dead rows, the oldest snapshot of another program with its name, the connections, and whether notices arrive',
      'system.replicas':
        'It lists the replicas that were seen in the last 15 s, each with its version, its clock and how late its event loop is',
      'system.warnings':
        'It warns of a store that evicts, is nearly full or keeps nothing on disk, of replicas of different versions or with clocks 1 s apart, and of queues that an untested BullMQ wrote',
      'failures.all':
        'GET `/failures` groups the jobs of all queues that failed of late by queue and cause, the most frequent first',
      'sight.blocked':
        'GET `/queues/:queue` reports as `blocked` why nothing starts although jobs wait, over all replicas: the first reason that holds; null when jobs start',
      'sight.blocked-children':
        'When no job waits or is delayed, `blocked` names a child that failed and keeps a parent waiting',
      'sight.blocked-job':
        'GET `/queues/:queue/jobs/:jobId/blocked` reports why a job does not start; null when it starts in its turn',
      'sight.blocked-scope': 'The reason does not name a job of a queue that the token may not use',
    },
  },
  {
    title: 'Health of workers',
    rules: {
      'worker-health.answer':
        'GET `/workers/:queue/health` reports how the calls of a queue went; a figure without a call is null',
      'worker-health.held': 'It reports until when a queue is held',
      'worker-health.replicas': 'It counts the calls of all replicas together',
      'worker-health.window': 'It covers the last ten minutes',
      'worker-health.latency': 'Percentiles of the latency are exact within 2 %',
      'worker-health.no-worker': 'It is 404 without a worker',
      'worker-health.cost':
        'A replica writes what it counted once in a second, and only when it is new',
    },
  },
  {
    title: 'Pull and deferred completion',
    rules: {
      'pull.claim':
        'POST `/queues/:queue/jobs/claim` answers `[{job, token}]`, up to `count` jobs, the job as in calls',
      'pull.no-queue': 'A claim of a queue that does not exist answers `[]`, and makes none',
      'pull.wait':
        'A claim waits for the first job, `wait` ms at most, also for one that falls due',
      'pull.time-up': '`[]` when time is up',
      'pull.first-come': 'Claims that wait are served in the order in which they came',
      'pull.vanished': 'A client that leaves while it waits takes no job with it',
      'pull.unwritten': 'A claim whose answer does not go out gives its jobs back at once',
      'pull.shutdown': 'At SIGTERM claims that wait end first, with `[]`',
      'pull.pause': 'A paused queue gives no job to clients either',
      'pull.hold':
        'A held queue gives no job to clients, and those that wait get some as soon as the hold is ended',
      'pull.must-fail': 'A job that must fail without a call is failed and never given to a client',
      'pull.order': 'A client is given jobs in the order of the calls to endpoints',
      'pull.no-limits': 'Without a registered worker any number of jobs may be taken',
      'pull.concurrency':
        'With one its limits hold, and jobs that were taken count for its `concurrency`',
      'pull.stalled':
        'A taken job whose lock runs out goes through the stalled rule, also in a queue without a worker',
    },
  },
  {
    title: 'Flows',
    rules: {
      'flows.add': 'POST `/flows` adds a tree of jobs and answers it with ids',
      'flows.checked': 'Each job of it is checked, and a mistake named with its path',
      'flows.limits': 'A flow has up to 10 levels and 10,000 jobs in 100 queues',
      'flows.all-or-nothing':
        'All jobs of a flow are stored, or none, whatever queues they are for',
      'flows.policies': 'The policies of its queues hold for a flow',
      'flows.waits': 'A parent waits as `waiting-children`',
      'flows.starts': 'It starts when its last child completed',
      'flows.starts-once': 'It starts once, whatever ends at the same time on several replicas',
      'flows.children':
        'Its call carries what became of its children, up to 1 MB; GET `.../:id/children` returns all',
      'flows.pull': 'A client that claims a parent gets the same',
      'flows.bodies': 'Calls with other bodies than the envelope carry no children',
      'flows.tree': 'GET `/flows/:queue/:id` is the tree',
      'flows.tree-values': 'The tree leaves out values that are longer than 1 kB',
      'flows.tree-pieces':
        'The tree and the children of a job are read in pieces of 256 kB, a larger child by itself',
      'flows.unknown': 'Both answer 404 for an unknown job',
      'flows.retention':
        'What a child returned is kept with its parent when the child does not stay',
      'flows.wait': 'A parent waits when a child fails, until that is retried and completes',
      'flows.fail': '`fail`: a parent fails when the child does, and is not called',
      'flows.continue': '`continue`: a parent starts at once when the child fails',
      'flows.ignore': '`ignore`: a parent goes on as if the child had completed',
      'flows.page': 'Children are shown by page, in the order in which they were given',
      'flows.cancel': 'A parent that is cancelled fails, and its children go on',
      'flows.cancel-children':
        'With `children: true` all below it that has not ended is cancelled too, and none of it starts; what was cut off goes on when it is repeated',
      'flows.cancel-retry':
        'A parent that is cancelled and retried by hand waits again for the children that have not ended',
      'flows.retry':
        'A child that is retried by hand is waited for again by a parent that waits still, whatever `onChildFailure` says, and holds up none that runs; a parent that is retried waits for its children unless one failed that lets it continue',
      'flows.remove': 'A parent is removed with its children, however many, unless one is active',
      'flows.short-steps':
        'A large family is cancelled and removed in short steps; what was cut off goes on when it is repeated',
      'flows.gone':
        'A child that is removed, by whatever removes it, is not waited for: its parent starts, as its options say',
      'flows.drain':
        'A queue that is drained loses those parents too that wait for nothing else, and they are counted',
      'flows.expiry': 'A child that expires does to its parent what its failure does',
      'flows.bulk':
        'Bulk repairs take parents and children as single jobs, and each counts once; what they clean takes nothing along',
      'flows.example': 'The video pipeline of the examples does what its page says',
      'flows.native':
        'Flows of native producers work too, and native clients run and read those made here',
    },
  },
  {
    title: 'Outbound guard',
    rules: {
      'guard.link-local':
        'Link-local addresses and those of metadata are refused whatever the policy, unless allowed by an entry that means them',
      'guard.public':
        'With OUTBOUND_POLICY=public endpoints need a public unicast address, of IPv4 or IPv6',
      'guard.lists':
        'OUTBOUND_ALLOW and OUTBOUND_DENY hold networks and hosts; what is denied is denied even if allowed',
      'guard.spellings':
        'It makes no difference how an address is written, nor whether it is that of IPv4 within one of IPv6',
      'guard.rebinding':
        'A name is judged by the addresses that the connection is made to, each time that one is opened',
      'guard.several-addresses': 'A name is refused when one of its addresses is',
      'guard.kept': 'A connection that is kept is not judged again',
      'guard.redirects': 'Redirects are not followed, so none leads elsewhere',
      'guard.proxies': 'No proxy of the environment is used',
      'guard.no-connection': 'No connection is opened for a refused call',
      'guard.final':
        'A refused call fails its job for good with `Address not allowed`; the attempt is on record as `refused`',
      'guard.registration': 'Registration is never refused because of an address',
      'guard.log': 'A refused host is logged once, with its address',
    },
  },
  {
    title: 'Disabling workers',
    rules: {
      'worker-disabling.answers':
        'POST `/workers/:queue/disable` and `/enable` answer `OK`, each time, or 404 without a worker',
      'worker-disabling.waits':
        'While a worker is disabled no call starts; jobs wait and running calls finish',
      'worker-disabling.replicas': 'It holds within a second on all replicas',
      'worker-disabling.answer':
        '`webhook-delivery: disable` in an answer disables the worker; the attempt counts as its status says',
      'worker-disabling.gone': 'With `disableOnGone` an answer 410 does, too',
      'worker-disabling.old-answer':
        'An answer to a call of an earlier registration does not disable a later one',
      'worker-disabling.registering': 'Registering anew enables',
      'worker-disabling.hidden': 'Only its health shows that a worker is disabled',
      'worker-disabling.log': 'The log says once that a worker was disabled and why, or enabled',
    },
  },
  {
    title: 'Deferred completion',
    rules: {
      'deferred.accept':
        '`endpoint.accepted: "defer"` makes an answer 202 leave the job active; it completes by its token, through any replica',
      'deferred.bound':
        '`endpoint.deferTimeout` (3600000) bounds it, `Jobgate-Deadline` in the answer goes before that',
      'deferred.nothing-held': 'A replica holds nothing of a job that was accepted',
      'deferred.concurrency': 'It counts for the `concurrency` of its worker',
      'deferred.overdue':
        'One that is not completed in time fails its attempt with `Endpoint did not complete within 3600000 ms`, and retries as usual',
      'deferred.extend': '`.../extend` gives it another bound',
      'deferred.overtaken': 'A completion that overtakes its 202 is accepted',
      'deferred.callback':
        'With PUBLIC_URL calls carry `Jobgate-Callback`, the address of their job',
    },
  },
  {
    title: 'Reports by the token of a job',
    rules: {
      'reports.complete': '`.../complete` completes the job with the body, null when it is empty',
      'reports.too-large': 'A return value over MAX_RESPONSE_SIZE is 413',
      'reports.fail':
        '`.../fail` fails the attempt as a failed call; `retry: false` for good, `delay` in place of the backoff',
      'reports.extend': '`.../extend` holds the job for `lock` ms from now and answers until when',
      'reports.release':
        '`.../release` puts the job back without an attempt, at the head of its place or delayed',
      'reports.repeated':
        'A repeated `complete`, `fail` or `release` with the same token within 60 s is `OK` again',
      'reports.in-time':
        'A `release` or `extend` that the store comes to after its 503 is not carried out',
      'reports.dead-token': 'Anything else with a dead token is 401',
      'reports.one-winner': 'Of several ends of an attempt, on any replicas, one counts',
      'reports.on-record': 'What was reported is on record, kept and logged as what calls come to',
      'reports.during-call':
        'A report during a call ends its attempt, and its answer counts for nothing',
    },
  },
  {
    title: 'The breaker',
    rules: {
      'breaker.opens':
        'So many jobs in a row that end in a connection error, a timeout or 5xx open the breaker, in the step that ends the last',
      'breaker.distinct': 'Attempts of one job count once',
      'breaker.reset': 'An answer that proves the endpoint alive begins the count anew',
      'breaker.no-attempt':
        'While it is open no call starts, on no replica, and no attempt is used',
      'breaker.probe': 'Then one probe at a time over all replicas is an ordinary attempt',
      'breaker.closes': 'A probe that finds the endpoint alive closes it',
      'breaker.closing-replicas': 'Then all replicas claim again at once',
      'breaker.doubles': 'A probe that fails doubles the time up to `maxOpenFor`',
      'breaker.probe-lost': 'A probe that comes to nothing makes room for another one',
      'breaker.registering': 'Registering anew closes it',
      'breaker.pull': 'It does not concern those who take jobs themselves',
      'breaker.outage': 'An outage costs no job an attempt but those that open it and the probes',
      'breaker.races': 'It is so whatever ends in whatever order',
      'breaker.terms': '`opts.breaker` is checked like all options, and off unless given',
      'breaker.health':
        'The health of the worker shows that it is open or probing, since when and why',
      'breaker.log': 'The log warns once when it opens, with the reason, and says when it closes',
    },
  },
  {
    title: 'Rights',
    rules: {
      'rights.table':
        'A token may call the operations that the table of rights names, and no others',
      'rights.refusal': 'A missing right is 403, with a text and a header that name it',
      'rights.queues': 'A queue outside the patterns is 403, whether it exists or not',
      'rights.patterns': 'Of the patterns of queues the last that matches decides',
      'rights.all-queues': 'What concerns all queues needs a token for all queues',
      'rights.lists': 'Lists, figures and flows hold only queues that the token may use',
      'rights.data': 'Without the right `data` no answer has a value of a job',
      'rights.urls':
        'Without the right `configure` no answer has more of the URL of a worker, a hook or a callback than its origin',
      'rights.order': 'The order is: token, right, queue, validation, state',
      'rights.environment':
        'AUTH_TOKENS may do everything and are named by their places, AUTH_TOKENS_SHA256 after them',
      'rights.idempotency': 'Idempotency keys belong to the token, those of the environment to all',
      'rights.compiled': 'A route without a right does not compile',
      'rights.openapi': 'The OpenAPI document has the right of every operation',
      'audit.changes':
        'Every call that changes something is an entry, written before the change and completed after it',
      'audit.exempt':
        'Adds, claims, tickets, dry runs and calls that are refused as 400 or 401 are no entries',
      'audit.refused': 'Every 403 is an entry; a 404 or 409 is one that failed',
      'audit.detail':
        'An entry names fields, filters and numbers, never data, header values or secrets',
      'audit.list':
        'GET `/audit` lists entries by who, action, queue, job, time and outcome, newest first',
      'audit.kept': 'The latest AUDIT_KEPT entries are kept',
      'audit.who':
        'An entry has the id of the token beside its name, and `?who=` takes either of them',
      'audit.flood':
        'Calls that a token can repeat without end (403, 404, 409, its own sessions) share an entry beyond some of their own',
      'audit.outage': 'What cannot be recorded is not changed',
      'audit.log': 'Each entry is one log line with `audit`',
      'tokens.create':
        'POST `/tokens` makes a token `jg_<id>_<secret><checksum>`, which is shown once and stored as a digest',
      'tokens.names':
        'A token cannot have a name like the ids that the service gives, such as `environment:1`',
      'tokens.cover': 'A token can make, change and remove only tokens with what it has itself',
      'tokens.bounds':
        'A token has at most 100 patterns of 200 characters, there are at most 10,000 tokens, and a change reads one',
      'tokens.children':
        'A token is no freer than the one that made it in end, networks and limits, counts against both limits, and ends with it',
      'tokens.list':
        'GET `/tokens` lists those of the API, of the file and of the environment, with their last use',
      'tokens.change': 'PATCH changes name, end and addresses, and nothing else',
      'tokens.rotate': 'A rotation gives a new secret; the old one works until the overlap ends',
      'tokens.revoke':
        'A revoked token is refused on every replica within a second, and its streams end',
      'tokens.ends': 'An expired or unknown token, or one from another address, is 401',
      'tokens.outage': 'While the store is away, known tokens work for 60 s and others are 503',
      'limits.requests':
        'Limits of tokens hold over all replicas, with 429, Retry-After, RateLimit, at most 20 commands',
      'limits.jobs': 'A batch counts as its jobs, and is taken whole or not at all',
      'limits.schedulers':
        'The schedulers that a token made are together no denser than its limit on jobs: 400',
      'limits.change': 'A token has limits of its own, else those of LIMIT_REQUESTS and LIMIT_JOBS',
      'limits.outage': 'While the store is away nothing is limited',
      'jwt.accepted':
        'A JWT of an issuer of JWT_ISSUERS_FILE may do what the first rule allows that it matches',
      'jwt.refused':
        'A JWT that is forged, foreign, expired, of another audience or too long is 401',
      'jwt.keys': 'Keys are kept; an unknown one makes them be read again once a minute at most',
      'jwt.outage': 'An issuer that cannot be reached is 503 for its tokens alone',
      'jwt.file': 'A mistake in the file of issuers stops the start with the path of the field',
      'sessions.cookie':
        'POST /sessions gives a cookie: __Host-jobgate with Secure where clients come over TLS',
      'sessions.use': 'A session is what its token is, for 12 hours, and ends with it',
      'sessions.list': 'A token lists and ends its own sessions, with their streams, and no others',
      'sessions.bounds':
        'A token has at most 100 sessions, of which the oldest ends; GET /sessions lists them in pages',
      'sessions.origin':
        'A change with a cookie needs an own origin and the header Jobgate-Dashboard, else 403',
      'sessions.fresh': 'Tokens and secrets need a session younger than 10 minutes',
      'access.proxies':
        'Behind the proxies of TRUST_PROXY the address is the rightmost that is none of theirs',
      'tokens.checksum': 'The checksum refuses a slip without the store',
      'tokens.file':
        'ACCESS_TOKENS_FILE holds tokens with rights, and is read again when it changes',
      'rights.whoami': 'GET `/whoami` answers what a token allows',
      'secrets-at-rest.encrypted':
        'With ENCRYPTION_KEYS or ENCRYPTION_KEYS_FILE the store holds no header value and no secret of a worker',
      'secrets-at-rest.place':
        'A secret opens only in the queue and field, and for the origin of the URL, that it was written for',
      'secrets-at-rest.earlier-versions':
        'What earlier versions wrote without the origin is read until it is encrypted again',
      'secrets-at-rest.without-keys':
        'Without keys secrets are kept as they are, and `/system` warns of them',
      'secrets-at-rest.missing-key':
        'A worker whose key is missing is disabled with the reason, and breaks no answer',
      'secrets-at-rest.heals': 'Registering such a worker again heals it',
      'secrets-at-rest.wrong-key':
        'A key that is not the one first seen under its id is an error at start that names it',
      'secrets-at-rest.first-seen':
        'A key that opens no secret with its id is not remembered as the right one',
      'secrets-at-rest.one-worker':
        'A secret that does not open disables its worker, and keeps no replica from starting',
      'secrets-at-rest.rewrap':
        '`jobgate secrets rewrap` encrypts all secrets with the first key, and `/system` counts them by key',
    },
  },
  {
    title: 'Command line',
    rules: {
      'command-line.commands':
        'Commands for queues, jobs, failures and repairs print tables for people and JSON for programs',
      'command-line.tail':
        '`jobgate tail` shows what happens in a queue, in all or in those of a pattern, comes back after a lost connection, and ends on Ctrl-C with 0',
      'command-line.asks': 'It removes nothing before the user confirmed',
      'command-line.exit': 'The exit code is 0, 1 after an error, 2 for a mistake in the command',
      'command-line.operations':
        'Commands add, change and await jobs, and control workers, job schedulers, flows, groups, policies, tokens and sessions',
      'command-line.contexts':
        'Services are kept by name in a file for the user alone, and a token goes to its own service only',
      'command-line.completion':
        'bash, zsh and fish complete commands, options, their values and the names of queues',
      'command-line.store-migrate':
        'jobgate store migrate applies the migrations of PostgreSQL that are due, and with --dry-run prints them as statements',
      'command-line.help': 'The program explains its commands, without a service too',
    },
  },
  {
    title: 'Settings as files (reach contract, section 19)',
    rules: {
      'settings.export':
        '`jobgate export` prints policies, workers, schedulers, settings of groups and hooks as YAML documents with the bodies of the API, without secrets and values of headers',
      'settings.documents': '`jobgate apply` refuses files of any other form, naming the document',
      'settings.differences':
        'It shows what differs before it changes that, of which values of headers and secrets are no part, and with `--dry-run` ends with 3 when anything does',
      'settings.dry-run':
        'With `dryRun=true`, every PUT of a setting and POST `/workers` answer what would be stored, or refuse it; nothing is stored or audited',
      'settings.refusals':
        'The service checks each setting with `dryRun=true`; what it refuses is listed, the exit code is 2, and the rest is stored',
      'settings.apply':
        'It stores what differs and nothing the second time; applied to an empty service, an export leads to the same answers',
      'settings.prune':
        '`--prune` removes what an earlier run of the same `--set` had in its files and these no longer have, and nothing else',
      'settings.bounds': 'All sets together have at most 100,000 settings, a change names 1000',
    },
  },
  {
    title: 'Listening at the desk (reach contract, section 19)',
    rules: {
      'listen.call':
        '`jobgate listen` makes the call that a registered worker gets: the same bytes but for token, id, address and time',
      'listen.answer':
        'It reports each answer by the rules of a registered worker, with the registration of the queue if there is one',
      'listen.stop':
        'It prints a line for each call; Ctrl-C gives back the job that it holds, and the exit code is 0',
    },
  },
  {
    title: 'Model Context Protocol',
    rules: {
      'mcp.client': 'The official client works with `POST /mcp` and with `jobgate mcp`',
      'mcp.protocol':
        'Each message is answered by itself: versions, errors of JSON-RPC, 202 for a notification, 405 for GET',
      'mcp.origin':
        'Pages of other sites, and sessions without the header of the dashboard, are 403',
      'mcp.rights': 'Tools are listed and act as the rights and queues of the token allow',
      'mcp.size': 'The tools are described within 10,000 characters',
      'mcp.read-only': 'Tools that change nothing say so',
      'mcp.fence': 'What jobs hold stands between marks that no job can know',
      'mcp.refusal': 'A refusal is a result with `isError` and the text of the service',
      'mcp.actions': 'What a tool does is in the audit as the action itself',
      'mcp.preview': 'A repair without its code changes nothing, and answers one',
      'mcp.signals':
        'A job shows its steps and what it waits for; a signal is sent with the code of a first call',
      'mcp.code-once': 'A code is good once, on one of all replicas',
      'mcp.code-time': 'A code is good for 60 s',
      'mcp.code-bounds': 'A token has at most 1000 codes within 60 s: beyond, the oldest ends',
      'mcp.code-bound': 'A code is good for the same queue, action, filter and token',
    },
  },
  {
    title: 'Operating it',
    rules: {
      'deploy.metrics':
        'The rules for Prometheus and the Grafana dashboard name metrics that the service has',
      'deploy.overlays':
        'The manifests for Kubernetes render, and set variables that exist to valid values',
      'deploy.rules': 'The rules for Prometheus are valid, and each is tested',
      'log.changes':
        'What a person changed is one line at the default level, with the numbers and the request id',
      'log.unanswered':
        'When ten jobs in a row fail because nothing listens at the endpoint, one warning names `opts.breaker`, `attempts` and the command that retries them',
      'metrics.failed': 'Jobs that are cancelled or expire are counted as failed',
      'metrics.gaps': 'Gaps of event streams are counted',
      'metrics.memory': 'The metrics say how much of its memory the store uses',
      'metrics.states': 'The metrics say which queues are paused and which state each worker has',
      'metrics.flows': 'The jobs of a flow are counted as added, each at its queue',
      'traces.accepted': 'An attempt that its endpoint completes later is one span',
      'traces.bounded': 'However many jobs a request adds, no trace has more than 1000 spans',
      'traces.call': 'The `traceparent` of a call goes to the endpoint',
      'traces.dropped': 'While the collector is away spans are dropped and counted',
      'traces.flows': 'The attempts of a flow are linked to its one producer',
      'traces.linked': 'An attempt is a trace of its own, linked to the add of its job',
      'traces.off': 'Without OTEL_EXPORTER_OTLP_ENDPOINT nothing is traced',
      'traces.parent': 'OTEL_JOBGATE_TRACES=parent makes attempts children of the add',
      'traces.pulled': 'Attempts of clients that fetch jobs are traced',
      'traces.unloaded': 'No package for traces is loaded unless they are set',
      'openapi.document': 'GET `/openapi.json` answers a document of OpenAPI 3.1',
      'openapi.derived': 'The document says what the service takes and answers',
      'openapi.open-enums': 'Enums of answers are declared open, those of requests closed',
      'openapi.page': 'GET `/docs` shows the document without any outside resource',
      'supply-chain.private-parts':
        'What is used of packages without their promise is named with the version it was seen in',
      'openapi.without-token': 'Both need no token',
    },
  },
  {
    title: 'Groups',
    rules: {
      'groups.job':
        'A job of a group keeps priority, lifo and delay within it; it is counted, listed, cancelled and removed as any other',
      'groups.turns':
        'Groups take turns by virtual time with weights and costs; jobs without a group take turns as one more',
      'groups.limits':
        'Limits of a group hold over all replicas and count from the jobs that run; what ends a job leaves no slot taken',
      'groups.order':
        'ordered: one job of a group at a time; a retry holds its group, and with "block" a failed job does',
      'groups.hold': '`Jobgate-Hold: group` holds the group of the job',
      'groups.settings': 'Groups have settings, are paused, resumed and held, also without jobs',
      'groups.bounds': 'As many groups of a queue as may have settings, be paused or be held: 409',
      'groups.shown':
        'Events, attempts and summaries carry the group of a job; searches and bulk repairs find by it',
      'groups.list':
        'All who list the groups of a queue at the same time share one reading, which ends when they have left',
      'groups.native':
        'Native workers take jobs of groups one at a time, in the order of turns, and count for the limits of groups',
      'groups.forgotten': 'Groups that were used once leave no key',
      'groups.steps':
        'New settings of all groups cost each claim a bounded number of those at a limit',
      'groups.room': 'Over `maxWaiting` of a group an add is 429, and nothing of it is stored',
    },
  },
  {
    title: 'Batches',
    rules: {
      'batches.options':
        'opts.batch bounds the jobs of a call; the bodies `data` and `none` are 400 with it',
      'batches.claim': 'A call takes jobs in their order until it is full, or its wait is over',
      'batches.concurrency': 'concurrency counts calls, over all replicas, from what runs',
      'batches.limits': 'The limiter and the limits of groups count jobs',
      'batches.by': 'by: "group" and "name" have calls with jobs of one group or name',
      'batches.order': 'A call holds at most one job of an ordered group',
      'batches.call': 'A call has its id and each job with its token, and is signed as one message',
      'batches.answer':
        'An answer says what became of each job; what it gets wrong fails all, and says which',
      'batches.split':
        'Jobs of a call that failed come again in halves; the first call and calls of one count',
      'batches.tokens':
        'Tokens work singly during the call, and what they report wins; a cancel ends that job alone',
      'batches.deferral':
        '429 and 503 with `Retry-After` give all back; 202 with `accepted: "defer"` defers all',
      'batches.attempts': 'Attempts carry the id of their call and how many jobs it had',
    },
  },
  {
    title: 'The dashboard',
    rules: {
      'dashboard.page':
        'GET `/dashboard`, and whatever is below it, answers anyone with a page under the policy of the contract',
      'dashboard.files':
        'Its files have names that change with their content, are kept by browsers, and come packed',
      'dashboard.modes':
        'DASHBOARD=off: 404; `readonly`: no page offers an action, and a session changes nothing but its end',
      'dashboard.budget':
        'A page begins with at most 30 kB of scripts and styles, packed, and paints first after three requests',
      'steps.page':
        'The page about steps has workers of at most ten lines in Python, JavaScript, a shell and with both clients that charge, wait for a payment and ship',
      'steps.example':
        'An example in `examples/` charges an order, waits for its payment and ships it, also after everything was killed',
      'steps.dashboard':
        'The page of a job shows steps in its timeline and what it waits for until when, sends signals, and forgets steps and retries; that of a queue counts suspended jobs',
      'dashboard.still': 'Nothing moves on a page once it is seen',
      'dashboard.token':
        'A token that signs in leaves no trace in the page, its address or its storage',
      'dashboard.own':
        'No page asks another site for anything, breaks the policy, or logs an error',
      'dashboard.pages': 'Each page is a link of its name in the frame, and has one `h1`',
      'dashboard.text': 'What clients put into names, reasons, data and logs is shown as text',
      'dashboard.bulk':
        'A bulk action shows what it matches, and asks for the number to be typed above 100 jobs',
      'dashboard.rights': 'What a token may not do is disabled, with the name of the right',
      'dashboard.accessible':
        'No serious finding of axe on any page, light or dark, at 1280 and 360 pixels',
      'dashboard.outage':
        'When the service does not answer, a page says so within 3 s, and keeps what it shows',
      'dashboard.base': 'All links work behind a path of a proxy',
      'dashboard.charts':
        'Charts of a queue are loaded once they are shown; a time that is selected lists its jobs',
      'dashboard.groups': 'The groups of a queue are paused, held and given weights and limits',
      'dashboard.causes':
        'A cause of failures shows some of its jobs, and what was changed before them',
      'dashboard.flows':
        'A flow is a tree and a drawing, which mark the jobs that decide how long it takes',
      'dashboard.edits':
        'An edit shows what it changes; that of a scheduler the next slots that the service computes',
      'dashboard.policy':
        'The page of a queue edits its policy: the fields that are used most, and all of it as JSON',
      'dashboard.recommended':
        'The page of a queue shows what production needs and its settings leave open, and stores it',
      'dashboard.contrast':
        'Every text has a contrast of 4.5 : 1, also disabled, selected and as a placeholder',
      'dashboard.look':
        'Pages with fixed answers and a fixed clock look as they did when they were looked at last',
      'dashboard.load':
        'At 5000 jobs a second a page gets one digest a second, and costs its browser at most 5 % of a core',
      'dashboard.replicas': 'A page goes on at another replica when its own is killed',
      'dashboard.clock': 'Ages go by the clock of the service',
      'dashboard.size': 'Of 10,000 queues a page shows 50, and finds the others by name',
    },
  },
  {
    title: 'Stores',
    rules: {
      'store.choice':
        'STORE, STORE_URI, STORE_PATH, a folder that exists or a Redis that answers decide the store, in this order',
      'postgres.away':
        'The log says when PostgreSQL is lost and when it is back, with host and cause, and the readiness names the cause',
      'store.clock-steps':
        'A clock of the service or of the store that is set, forward or back, costs at most 2 s, and one line names it',
      'store.unused-variable': 'A variable that the chosen store does not use is a warning',
      'store.postgres-variables':
        'STORE_URI with the scheme postgres or postgresql, STORE_DIRECT_URI, STORE_SCHEMA and STORE_POOL set up the PostgreSQL store',
      'hooks.stored':
        'A hook is stored as a whole, and shown without secrets and values of headers; a new secret is shown once',
      'hooks.needs': 'A hook gives what its events need, or is refused by the name of the field',
      'hooks.most': 'There are at most 100 hooks',
      'hooks.in-force': 'A change of a hook holds on all replicas, also when a signal is lost',
      'hooks.queues': 'A hook beyond the queues of a token is 404 for it, and a PUT of one 403',
      'hooks.rights':
        'Hooks need read to be read, operate to be tested, configure to be changed, and data for ends of jobs',
      'hooks.test': 'A test sends one `hook.test` at once, and answers how it went',
      'hooks.secrets':
        'Header values and secrets of hooks are encrypted for their hook and origin, counted and rewrapped',
      'hooks.rotation': 'A secret of a hook that was replaced signs for another day',
      'hooks.audit': 'Changes of hooks are in the audit, without headers and secrets',
      'hooks.warning': '/system warns of hooks that cannot deliver',
      'hooks.condition-once':
        'A condition has one message when it begins and one when it ends, over all replicas and whenever one dies',
      'hooks.condition-for': 'A condition is reported once it has held for `for`',
      'hooks.condition-over':
        'A condition is over 20 % below its threshold, that of an unserved queue or of a worker as soon as it ends',
      'hooks.condition-repeat': 'With `repeat`, a condition that lasts is reported again',
      'hooks.condition-together':
        'A condition that begins for several queues in one look has one message, with 20 of them and the number of others',
      'hooks.condition-gone': 'A condition of a queue that is removed is over',
      'hooks.condition-cost': 'While no hook names a condition, nothing is read',
      'hooks.missed':
        'A slot of a scheduler without its job is reported, also one at which no replica ran, and none that was paused or skipped',
      'hooks.paused-silent': 'A paused hook makes no messages of conditions',
      'hooks.formats':
        'Messages are as CloudEvents 1.0 and Alertmanager define them, and Slack acts on nothing within a text',
      'hooks.job-ended':
        'A message of a hook about a job is written in the step that ends the job, whatever ends it',
      'hooks.bound':
        'Of a hook at most 10,000 messages wait: the oldest fail, and are reported once until fewer than 9,000 wait',
      'callbacks.bound':
        'Of the callbacks of a queue to URLs at most 100,000 wait: those beyond are held back, and made in order',
      'hooks.own-queues':
        'The queues of the service itself are no queues for hooks, callbacks, figures, policies and counts',
      'hooks.delivered': 'A message of a hook is sent to its URL in its format',
      'hooks.attempts': 'A message that is not taken is sent eight times within a day, with one id',
      'hooks.failing': 'A hook is told only of failing hooks whose queues are among its own',
      'hooks.retry-after': 'Retry-After of a receiver sets the pause before the next attempt',
      'hooks.gone': 'A receiver that answers 410 pauses its hook, whose messages wait',
      'settings.set-reach':
        'A set takes settings without a queue from tokens for all queues alone, and hooks from tokens for all their queues',
      'hooks.webhook-id':
        '`webhook-id` of a message is `msg_` and a digest, without a dot, the same whenever it is sent',
      'hooks.resend': 'A message that is sent again has its id, and all its attempts before it',
      'hooks.distinct': 'With `distinct: cause`, each cause of failures is reported once in 24 h',
      'callbacks.delivered': 'A callback is sent with how the job ended',
      'callbacks.webhook-id':
        '`webhook-id` of a callback is a digest too, the same over all attempts and when it is sent again',
      'callbacks.origins-apart': 'A receiver of callbacks that hangs holds up no other origin',
      'callbacks.origins':
        'A callback to a URL needs an origin that the policy of its queue allows',
      'callbacks.once':
        'Each end of a job has exactly one callback, through kills of replicas and connections',
      'callbacks.url':
        'The delivery of a callback to a URL is written in the step that ends the job',
      'callbacks.on': 'A callback follows the ends that it names, each once, numbered by `run`',
      'callbacks.queue':
        'A callback to a queue adds one job with the event in the step that ends the job',
      'callbacks.dead-letters': 'A callback as a job adds a copy of the ended job, with its origin',
      'dead-letters.options':
        'A letter keeps the options of its original, none of which holds for the letter itself',
      'dead-letters.marked':
        '`deadLetters` names the queues whose policies send failed jobs to a queue; null for others',
      'dead-letters.quiet': 'A dead letter queue raises no alarm for lack of a worker',
      'dead-letters.origin': 'A letter is read with its original, and where that is now',
      'dead-letters.redrive': 'A redrive brings letters back that match a filter, up to a limit',
      'dead-letters.redrive-options': 'Letters come back with the options of their originals',
      'dead-letters.redrive-once':
        'A letter comes back once, whatever replicas do at the same time or die',
      'dead-letters.redrive-rate': 'A redrive keeps to its rate',
      'dead-letters.redrive-rights':
        'A redrive needs `operate` on the queue, and `add` where letters go; others stay',
      'store.postgres-migrations':
        'The PostgreSQL schema is made and brought to later versions at the start, under a lock',
      'store.postgres-later': 'A PostgreSQL schema of a later version is refused by its number',
      'store.postgres-server': 'A PostgreSQL before 14 is refused by its version',
      'store.postgres-rights':
        'Without a migration that is due, the role needs no right to change the schema, and otherwise the missing one is named',
      'store.postgres-replicas':
        'Replicas on PostgreSQL answer and show together what one store alone does',
      'store.postgres-add-jobs':
        'add_jobs adds jobs in a transaction of the caller, with the checks and texts of an add over HTTP',
      'text.no-nul':
        'A NUL in a name, an id, a label or a reason of a client is 400, on every store',
      'text.replaced':
        'In plain answers, reasons of answers, log lines and progress, U+FFFD takes the place of NUL; data and return values keep it',
      'text.any-data':
        'Data and return values are kept through kills whatever characters, numbers and nesting they have, on every store',
      'store.postgres-any-content':
        'Rounds on PostgreSQL are folded and read whatever is in them, by each replica',
      'store.postgres-broken-commit':
        'A replica whose connection breaks as it commits goes on, whatever is in the log',
      'store.postgres-repaired':
        'A migration repairs the rounds and records that earlier versions cannot fold',
      'store.postgres-inbox-pieces':
        'Jobs of add_jobs are taken in rounds of at most 1,000, others between them, in order',
      'store.postgres-locks':
        'Neither rounds on PostgreSQL nor starts wait for a lock that a role without rights can take',
      'store.postgres-stopped':
        'A replica that stands still in a round, in the midst of a statement too, keeps others from changing for 10 s at most',
      'store.postgres-former-lock':
        'Rounds of replicas of this version and of the one before follow each other',
      'store.postgres-folding':
        'A log that cannot be folded is an ERROR with its cause, a warning and a metric',
      'store.postgres-behind':
        'A replica that lacks rounds of others for 5 s says so in its log, its readiness, a warning and a metric',
      'store.large-turns':
        'Of large adds one is always in progress; one that cannot begin in 10 s is refused, and nothing of it is stored',
      'store.not-stored':
        'A 503 says that nothing is or will be stored, unless the connection broke in the commit and Jobgate-Stored says so',
      'store.acknowledged':
        'STORE=embedded: what was answered before a kill -9 is there after it, with ids in order',
      'store.shared-reads': 'A list of queues that many ask for is read once for all who wait',
      'store.children':
        'What children returned is on the disk until their parent is claimed, shown or changed',
      'store.size':
        'What a job has beside its index, histories and logs included, is whole however much it is',
      'store.fair-steps':
        'A step of a store carries at most 1,000 jobs or 1 MB of one request, and small calls come between those of large ones',
      'store.records':
        'All that the embedded store needs to go on is in the records that it writes',
      'store.calls':
        'A job whose call ran when the process ended is called again without waiting for its lock',
      'store.one-process': 'A second process on the folder of an embedded store ends with 1',
      'store.loading':
        'While the store is read at the start, probes are answered, with the part that is loaded, and all else with 503',
      'store.full':
        'A full disk refuses with 507 what needs room and stores nothing of it, serves reads, also from the start, and mends itself',
      'store.full-memory':
        'A process whose heap is 80 % full refuses with 507 what adds jobs, as do all replicas; all else goes on, and schedulers skip slots',
      'store.failed-write':
        'A write or sync that fails otherwise ends the process with 1, after 503 for all changes',
      'store.backup':
        'POST /store/backup streams a copy with all that was answered before, while changes go on, to one client at a time',
      'store.check':
        'jobgate store check counts what is in a folder, and ends with 1 when something is damaged or the folder is in use',
      'store.recover':
        'A damaged store is refused with the place and the command that recovers what can be read',
    },
  },
  {
    title: 'Messages',
    rules: {
      'messages.in-flight':
        'A received message is given to no other receive until its visibility timeout is over, and does not stall',
      'messages.visible':
        'It is visible again within 50 ms on the replica that handed it out, as the next one unless its client gave it up, and counts as no attempt',
      'messages.order': 'A message that is visible again is the next one of its group',
      'messages.change':
        'The client sets the end of the timeout anew, at most 12 h after the receive, or makes the message visible at once',
      'messages.redrive':
        'One that was received `maxReceives` times fails, and a copy goes to the dead letter queue in the same step, under its id unless that is taken',
      'messages.delete':
        'The latest receipt deletes a message until the next receive; in a queue in order only while it is in flight',
      'policy.stalls': '`maxStalledCount` of a policy bounds the stalls of jobs that clients claim',
      'policy.labels': 'Labels of a queue and of all queues hold together',
      'policy.messages': 'What holds for messages is of one queue: 400 in the policy of all queues',
    },
  },
  {
    title: 'Amazon SQS',
    rules: {
      'sqs.protocol':
        'AWS JSON 1.0 is served at POST /sqs and at the URLs of queues, with or without a trailing slash',
      'sqs.off': 'Unless SQS is on, these are 404',
      'sqs.query': 'The query protocol is refused with a sentence that names SDK versions',
      'sqs.errors': 'Errors have the names and codes of the service model of SQS',
      'sqs.base-url': 'URLs of queues begin with SQS_BASE_URL, or scheme and Host of the request',
      'sqs.region': 'The region of a client is ignored, and comes back in ARNs',
      'sqs.size': 'Bodies may be of 8 MiB, and ten messages of 1 MiB come at once',
      'sqs.callers': 'The access key id is a token of any source but sessions',
      'sqs.rights': 'Each operation needs its right and its queue',
      'sqs.limits': 'Limits of a token are RequestThrottled, with Retry-After',
      'sqs.audit': 'Changes of queues are in the audit',
      'sqs.queues': 'Queues are created, found, set, read, listed and deleted as in SQS',
      'sqs.purge': 'A purge removes all messages, those in flight too',
      'sqs.tags': 'Tags are the labels of the policy',
      'sqs.permissions': 'Permissions of queues are an UnsupportedOperation',
      'sqs.send': 'A message is a job of exactly its body, within the bounds of SQS',
      'sqs.attributes': 'Attributes of all types come back, with the digests that SDKs check',
      'sqs.batch': 'A batch succeeds and fails entry by entry',
      'sqs.receive': 'Any job is received, with what SQS knows of a message',
      'sqs.delete': 'A handle deletes as in SQS, in FIFO queues only in its time',
      'sqs.handle': 'A handle that is none of the queue is ReceiptHandleIsInvalid',
      'sqs.visibility': 'A visibility timeout is changed, within 12 h of the receive',
      'sqs.fifo': 'Messages of a group of a FIFO queue come one at a time, in order',
      'sqs.deduplication': 'A message is sent once in 5 minutes, and answered as at first',
      'sqs.redrive': 'Messages received too often are in the dead letter queue',
      'sqs.moves': 'Tasks move messages back, or elsewhere, at a rate, until cancelled',
      'sqs.moves-rights':
        'A move task adds only to queues to which the token that started it may add; other letters stay and are counted',
      'sqs.moves-cancelled': 'Once a move task is cancelled, no replica moves a message for it',
      'sqs.retention': 'A message goes when its retention is over, without failing',
      'sqs.clients': 'Unmodified clients of AWS work as with AWS',
      'sqs.load': 'Under load and failures no message is lost, and those of a group stay in order',
    },
  },
  {
    title: 'Windows',
    rules: {
      'windows.clocks':
        'A window opens and closes as the clocks of its zone show, also when they change',
      'windows.starts':
        'Outside of its window no job of a queue starts, by the clock of the store; what runs goes on',
      'windows.shown':
        'A queue shows whether its window is open and when that changes, and names it as what blocks',
      'windows.changed': 'A changed window is in force at once for those who wait for it to open',
    },
  },
  {
    title: 'Demand',
    rules: {
      'demand.counts': 'The demand of a queue is what waits, what is due and what runs',
      'demand.rule':
        'Jobs do not count that a pause, a hold, a window or an open breaker keeps from starting; a disabled worker, a limiter and a concurrency reduce nothing',
      'demand.groups':
        'Of a group count only as many jobs as its limits let start now, without a claim that has met them',
      'demand.steps':
        'A look examines only the groups that changed, in short steps, and keeps nothing for long',
      'demand.native': 'Jobs of native clients count from the keys of BullMQ',
      'demand.kept': 'What is kept of groups is what examining all of them finds',
      'demand.steady': 'The demand falls only as jobs end',
      'demand.oldest': 'The age is that of the oldest job that could start',
      'demand.wanted': 'Workers are wanted for the demand over `perWorker`, rounded up',
      'demand.total': 'The demand of several queues is the sum over those that the token may see',
      'demand.shared': 'Those who ask for many queues at a time share one reading',
      'demand.rights': 'The right read or metrics is enough',
      'demand.metric': 'The metric of a queue is its demand',
      'demand.manifests': 'The manifests for autoscaling ask for the demand that the service has',
    },
  },
  {
    title: 'Keeping and forgetting',
    rules: {
      'payloads.values':
        'The data, results, logs, progress, reasons and answers of a job are gone once its queue no longer keeps them',
      'payloads.causes': 'A redacted job stays with its counts, times, state and cause',
      'payloads.keep': 'Values stay for `keep` ms after the end of their job',
      'payloads.bound':
        'They are gone within a minute after that, also where nothing ends any more',
      'payloads.events': 'Kept events stay, without the values of the job',
      'payloads.flows': 'What a job returned is gone from its parent too',
      'payloads.retry':
        'A redacted job cannot be retried: 409, and a bulk retry counts it as `skipped`',
      'payloads.steps': 'Values are removed in short steps, in which every queue has its turn',
      'payloads.replicas': 'One replica at a time sweeps payloads, and another one takes its place',
      'payloads.read': 'A redacted job reads as `data: null, redacted: true`',
      'erase.places':
        'After an erasure no byte of the values that matched is in the store: jobs, logs, attempts, kept events, remembered adds, results, callbacks, messages of hooks, figures, groups',
      'erase.events':
        'Kept events of erased jobs stay without values; where the id of the job is named or holds a value, a `gap` stands for the event',
      'erase.redact':
        '`redact` removes the values of ended jobs only, and a reason that holds the value as a whole',
      'erase.active': 'Active jobs are left, and counted in `remaining`',
      'erase.match': 'All fields are to match, by value and type',
      'erase.scope':
        'An erasure looks at the queues and states that it names, and that the token may use',
      'erase.ids': 'Jobs are erased by their ids, or by their group',
      'erase.flows':
        'A job of a flow is erased alone, with what its parent knows of it; its children stay',
      'erase.gone': 'What is kept of jobs that are gone is erased too',
      'erase.rights':
        'It needs `operate` with `data`, or `admin`; patterns beyond the queues of the token are 403',
      'erase.audit': 'The audit names the fields of the filter, not their values',
      'erase.input':
        'A filter is by one of `data`, `ids` and `group`; a mistake is a 400 naming the field',
      'erase.scheduler': 'The next job of a scheduler stays, and is counted in `remaining`',
      'retention.age': 'Jobs that ended longer ago than the `age` of the retention are removed',
      'retention.count': 'Of the jobs that ended, the latest up to the `count` stay',
      'retention.bound':
        'The retention removes within a minute, also where nothing ends, whatever jobs and workers say to keep',
      'retention.steps': 'It removes in short steps, in which every queue has its turn',
      'retention.follows':
        'What follows is what follows when the end of another job removes: for parents, groups, deduplication and logs',
      'retention.replicas': 'One replica at a time sweeps, and another one takes its place',
      'retention.policies':
        'The `retention` of a queue replaces that of all queues for completed and for failed jobs',
      'retention.default':
        'DEFAULT_RETENTION holds where policies name none, and is a configuration error if it is not one',
    },
  },
  {
    title: 'Costs',
    rules: {
      'costs.option':
        'The option `cost`, 0 to 1,000,000 and 1 unless given, is one of jobs, schedulers and defaults',
      'costs.count': 'A start counts its cost in the limiters of its queue and of its group',
      'costs.zero':
        'A job that costs nothing starts in a full window, not in one that is overdrawn',
      'costs.concurrency': 'No cost counts in a concurrency',
      'costs.order': 'The next job of a place waits, and none overtakes it for being cheaper',
      'costs.above-max': 'A job above the maximum of a limiter starts alone in a window',
      'costs.corrected':
        'The header `Jobgate-Cost` of an answer or a report, or `cost` in a body, sets what the start counted, once',
      'costs.overdrawn': 'A window may be overdrawn: later starts wait until enough has left it',
      'costs.ignored': 'A malformed cost, or one of a start that has left the window, is ignored',
      'costs.batches':
        'On the answer to a batch the header is ignored; elements of `results` have a `cost`',
      'costs.accepted': 'After a 202 the cost of the report counts',
      'costs.taken-back': 'A job that goes back without a call takes its cost back',
      'costs.shown': 'Attempts show their cost, and figures the sum as `series.cost`',
      'costs.native':
        'Native workers count 1 each in the counter of BullMQ, where starts of the service count their costs',
      'costs.clients':
        'Workers of both clients set the cost of a call, of a job of a batch and of a report',
    },
  },
  {
    title: 'Steps',
    rules: {
      'steps.save':
        'A step that the holder of a job saves comes with its next call; the first value of a name stays',
      'steps.put': 'PUT answers 201 for a new step, and 200 with the value that was there',
      'steps.call':
        'With `steps: true` a call of a job that has steps carries them whole, and their number in a header in every body mode; without steps it is as ever',
      'steps.status':
        'An answer 206 suspends whatever `endpoint.success` names; without `steps: true` it is the success that it was',
      'steps.batches':
        'Each job of a batch comes with its steps, in no header; 206 fails each with `Batches cannot be suspended`',
      'steps.token': 'A step is saved by the token that holds the job, and by no other',
      'steps.read':
        'Steps are read by the holder of the job, and with `read`; their values need `data`',
      'steps.bounds':
        '1,000 steps, 256 kB a value and 1 MB in all: 413 for one that is saved, the end of the job for an answer 206',
      'steps.repair':
        'Steps are removed by name, or all, while no attempt holds the job; a suspended job stays so',
      'steps.alone': '206 with steps alone calls the job again at once, ahead of others',
      'steps.sleep':
        'A sleep delays the job until all of its names are over; the step is the time at which it ended',
      'steps.first-value':
        'A name that is there is left as it is; an answer without a new one fails its attempt',
      'steps.attempts':
        'A suspended attempt is on record under the number of its attempt, with the steps that it saved',
      'steps.event':
        'The event `suspended` has the awaited names and until when; there is none for steps alone',
      'steps.times': '`ttl` is over with the first call, and `retryFor` bounds no wake',
      'steps.max-calls':
        '`maxCalls` bounds how often a job is suspended: the next time fails it for good',
      'steps.deduplication': 'A suspended job holds its deduplication id',
      'steps.removal': 'Steps and waits go with their job, and all of a queue with it',
      'steps.retry': 'A retry by hand keeps the steps of its job, or forgets them',
      'steps.figures':
        'Metrics count suspended jobs and saved steps, and a queue its suspended jobs',
      'steps.clients':
        'With both clients `run` saves a step once, and a wait ends the call by nothing that a handler could catch',
      'steps.native':
        'Native clients see a delayed job, or a parent that waits for children, and may promote, remove and process it',
      'steps.wake':
        'A suspended job goes on as no attempt of its own, with its attempts as they were',
      'steps.promote': 'A promotion ends sleeps now, and waits as their timeouts would',
      'steps.report':
        'The holder of a job may suspend it by a report, which may be repeated for 60 s',
      'steps.sentences': 'A wrong suspension says in a sentence what is wrong with it',
      'steps.shown': 'A suspended job shows what it still awaits, and until when',
      'steps.add':
        'Jobs that a step adds are waited for until all have ended for good; the step tells how, in their order',
      'steps.add-room':
        'They need room in their queues and groups, without which nothing is changed',
      'steps.add-large': 'However large they are, they are all there with the suspension, or none',
      'steps.add-policy': 'They go to the queue of the job, and to those that its policy allows',
      'steps.probe': 'A suspension that is reported of the probe of a breaker closes it',
      'steps.delay': 'A new delay of a suspended job ends all that it awaits once it has elapsed',
      'steps.erase': 'Erasures and payload policies take values of steps and kept signals along',
      'steps.groups': 'A suspended job of an ordered group holds its group',
      'steps.faults':
        'A kill at any moment leaves saved steps saved, and a suspended job suspended once; each wake is one call',
      'steps.signal': 'A signal wakes each job that waits for it once, with its body',
      'steps.signal-timeout': 'A wait that timed out is null, and takes no later signal',
      'steps.signal-kept': 'A kept signal ends a later wait at once, with its latest body',
      'steps.signal-repeated': 'A repeated Idempotency-Key of a signal wakes nothing',
      'steps.signal-delivered': 'A signal that was answered is saved, whatever ends its job later',
      'steps.signal-pieces':
        'A signal wakes many jobs in runs that keep no one else waiting, each job once',
      'steps.signal-queue':
        'A signal for an unknown queue wakes nothing, and creates it only to be kept',
      'steps.signal-list':
        'Signals that are kept or waited for are listed, and kept ones forgotten',
      'steps.signal-bounds': 'Keys, bodies and times of signals are bounded',
    },
  },
  {
    title: 'A destination of its own',
    rules: {
      'destinations.call':
        'A job with `endpoint` is called there, by the other terms of the worker: timeout, success, body, signing',
      'destinations.headers':
        'The headers of a destination are sent, and those of the worker are not',
      'destinations.method': 'The method of a destination goes before that of the worker',
      'destinations.steps':
        'A destination saves steps and suspends its job where the worker has steps',
      'destinations.policy':
        'The origin must be allowed by `endpoints` of the policy, else the add is 400 with the path',
      'destinations.adds':
        'Adds, flows, schedulers and steps may name destinations, by the policy of the queue of each job',
      'destinations.shown':
        'Values of headers are redacted when they are read; attempts show the URL that was called',
      'destinations.urls': 'Without `configure` a token sees the origin of a destination alone',
      'destinations.secrets':
        'Values of headers are encrypted at rest, for their origin; a job whose key is missing is not called',
      'destinations.guard': 'Calls to destinations pass the guard of addresses',
      'destinations.native':
        'A native client may name a destination; anything malformed under its name is ignored',
      'destinations.policy-needed':
        'A worker may have no URL where a policy has `endpoints`, which cannot be removed then: 409',
      'destinations.none':
        'Without a URL of the worker, a job without a destination fails for good with `Job has no endpoint`, uncalled',
      'destinations.lists':
        'Lists show a worker without a URL as `url: null` with `destinations: true`',
      'destinations.test': 'A test call of a worker without a URL is 409',
      'destinations.batches': 'A job with a destination goes alone where the worker takes batches',
      'destinations.breaker':
        'Calls to destinations are no probe of the breaker, and no verdict for it',
      'destinations.health': 'The health of the worker leaves calls to destinations out',
      'destinations.disable': 'No answer of a destination disables the worker',
      'destinations.retry-after':
        '429 and 503 with Retry-After of a destination put off that job alone, whatever the answer asks to hold',
      'destinations.put-off':
        'After 10 failed connections in a row to an origin, jobs for it are put off for 1 s on that replica, and others pass',
      'destinations.dashboard':
        'The page of a job shows its destination, that of workers says where jobs name theirs, without a test call',
      'destinations.command-line':
        '`add --endpoint URL` names a destination, and `workers register --destinations` registers a worker without a URL',
      'destinations.put-off-bound': 'The origins that are watched for that are bounded',
    },
  },
  {
    title: 'Who and why',
    rules: {
      'stops.reason':
        'Pauses of queues, groups, schedulers and hooks, and holds, take a `reason` of at most 200 characters: a mistake is a 400 that names it',
      'stops.kept':
        'Who paused or held something, when and why, is kept beside it on every store, and gone once it goes on',
      'stops.first':
        'Who paused it first counts, until a pause of the same thing gives another reason',
      'stops.holds': 'Of several holds, who asked for the latest end counts',
      'stops.native': 'A queue that a native client paused has nobody who paused it',
      'stops.shown':
        'GET, lists, `blocked` of queues and jobs, and the health of workers show who stopped it, when and why',
      'stops.unasked': 'Without a body, a pause is what it was',
      'stops.audit': 'The entry of a pause, a hold or a disabled worker has its reason',
      'stops.undo':
        '`jobgate tokens undo` lists what a token set that still stands, and takes it back once confirmed',
      'stops.clients': 'Both clients, the command line, the tools of MCP and the dashboard take it',
      'audit.origin':
        'The entry of a worker, of a change of one, of a hook and of a subscription has the origin of the URL that was set',
    },
  },
  {
    title: 'Topics',
    rules: {
      'topics.subscribe':
        'A subscription is stored in place of any other of its id, and read with its topic; a dry run stores nothing',
      'topics.names': 'Topics and subscriptions have names as ids of hooks',
      'topics.filter':
        'All keys of a filter must match, each by one of its values or operators; arrays match by an element, and what is missing only `{"exists": false}`',
      'topics.filter-mistakes': 'A wrong filter is 400 with the path of the value or operator',
      'topics.filter-bounds': 'A filter has at most 5 keys, 150 values in all and 4,096 bytes',
      'topics.bounds': 'There are at most 1,000 topics of 1,000 subscriptions: 409 for one more',
      'topics.replicas': 'A change is in force with its answer, and on other replicas within 1 s',
      'topics.ends':
        'A topic ends with its last subscription; a message to one that is not there matches nothing',
      'topics.publish':
        'A message becomes a job of each subscription that it matches; an array of messages is answered by an array',
      'topics.messages': 'A wrong message is 400 with the path, an array of more than 100 too',
      'topics.options':
        'Options of a subscription win over those of the message, and these over the defaults of the policy',
      'topics.as-adds':
        'What a message adds is held to the rules of an add to its queue: policies, groups, ids and deduplication',
      'topics.atomic': 'All jobs of a call are added, or none, however many there are',
      'topics.full':
        'A full queue or group refuses the call with 429, or is skipped where `onFull` is `skip`',
      'topics.rights':
        'A message needs `add` for every queue that matches, and adds nothing without; a subscription `configure` for its queues, old and new',
      'topics.size': 'Beyond `MAX_JOBS_PER_ADD` jobs or 100 queues a call is 413, and adds nothing',
      'topics.dry-run': 'A dry run adds nothing, has no ids, and refuses what the call would',
      'topics.repeated':
        'A repeated Idempotency-Key is answered as the first call, whatever changed since',
      'topics.limits': 'The jobs of a message count against the limit of the token',
      'topics.secrets':
        'Header values in subscriptions are encrypted at rest and redacted; URLs are whole with `configure` alone',
      'topics.audit': 'Subscriptions leave entries in the audit, messages none',
      'topics.cost': 'Filters are prepared once, and not for each message',
      'topics.clients':
        'Both clients and the command line publish messages and change subscriptions',
      'topics.files': '`export` and `apply` know subscriptions as `kind: topic`',
      'topics.dashboard': 'The dashboard lists topics, stores subscriptions and tries messages',
      'topics.command-line': 'Commands store and list subscriptions, and publish messages',
    },
  },
  {
    title: 'Sign-in for people',
    rules: {
      'sign-in.session':
        'A person who signs in has a session of 8 h at most, with via sign-in and the subject in the audit',
      'sign-in.rights': 'The first rule that matches the claims gives name, rights and queues',
      'sign-in.claims':
        'Rules match the claims of the ID token and, for those it lacks, of userinfo about the same person',
      'sign-in.target': 'A sign-in leads to a path of this origin and nowhere else',
      'sign-in.try':
        'A try is a cookie of 10 min, used once; another is 400 with a link to begin again',
      'sign-in.state': 'A wrong state is 400, and uses up no try',
      'sign-in.mix-up': 'An answer of another issuer is 400',
      'sign-in.code': 'A code is good for the try alone that asked for it',
      'sign-in.token':
        'An ID token with a wrong nonce, iss, aud, time, signature or algorithm signs nobody in',
      'sign-in.page':
        'A person whom no rule matches sees the claims that arrived, values of those asked for, and what each rule lacks',
      'sign-in.check':
        '`jobgate sign-in check` answers the same without a service: 0 for a match, 1 for none',
      'sign-in.away':
        'While the issuer is away, or answers wrongly, new sign-ins are 503 and sessions live',
      'sign-in.lookup':
        'Rights are looked up again when expires_in ends, at least hourly, once for all requests and replicas',
      'sign-in.lookup-refused':
        'A lookup that is refused, or about someone else, or matches no rule, ends the session',
      'sign-in.lookup-away':
        'While the issuer is away it is asked again after a minute, and the session lives',
      'sign-in.sealed': 'The store cannot read a refresh token',
      'sign-in.streams': 'A stream ends once its rights may have changed',
      'sign-in.sign-out':
        'POST /sign-out ends the session and answers where to end it at the issuer',
      'sign-in.off': 'Without SIGN_IN_FILE, or with DASHBOARD=off, the paths are 404',
      'sign-in.rules':
        'A change of the file applies within seconds; a faulty one changes nothing, and is logged',
      'sign-in.file': 'A mistake in SIGN_IN_FILE stops the start with the path of the field',
      'sign-in.start': 'SIGN_IN_FILE without PUBLIC_URL stops the start',
      'sign-in.dashboard':
        'The start page offers both ways, and a person gets back to where they were',
    },
  },
  {
    title: 'Shared limits',
    rules: {
      'limits.shared':
        'A limit bounds the calls and the starts of all queues whose policies name it, over all replicas, and those of all limits hold',
      'limits.ends':
        'However an attempt ends, its room is free; a lost one holds it until its lock is lost',
      'limits.batches':
        'A call of a batch is one for the concurrency, its jobs count for the limiter',
      'limits.changed': 'A change is in force for the next start, and earlier starts count on',
      'limits.costs': 'A limiter counts what starts cost, and what their ends say that they cost',
      'limits.turns':
        'Of queues that wait, none has more than a few starts more than another; one that does not claim keeps no room',
      'limits.reads': 'The queues that use a limit, and those that wait, are listed',
      'limits.stored': 'Limits are stored, listed, read and removed; there are at most 1,000',
      'limits.policies':
        'A policy names up to four limits that exist, none twice; a named limit stays',
      'limits.blocked': 'A blocked queue says at once which limit is full, and until when',
      'limits.audited': 'Changes of limits are on record in the audit',
      'limits.faults': 'Kills lose no room, and exceed no limit',
      'limits.dashboard':
        'The dashboard stores limits, and lists the queues that run and wait at one',
      'limits.command-line': 'Commands store, list, show and remove limits',
    },
  },
  {
    title: 'QStash',
    rules: {
      'qstash.off': 'Unless QSTASH is on, paths below /v2 are 404',
      'qstash.packages': 'The packages of QStash work unchanged, the newest and the major before',
      'qstash.delivery':
        'A body arrives byte for byte with its Content-Type, forwarded headers and those of QStash',
      'qstash.signature':
        'A signature is for the very bytes and the URL, good for five minutes, and verified without tolerance of clocks',
      'qstash.receivers': 'Receivers verify messages in handlers of Express and of Next.js',
      'qstash.errors': 'Errors are {"error": "…"} with the statuses of QStash',
      'qstash.token': 'An unknown token is refused, and one in the query',
      'qstash.rights': 'Rights and queues of tokens hold as everywhere',
      'qstash.limits': 'A token beyond its limits is 429 with Burst-RateLimit headers',
      'qstash.batch': 'A batch has up to 100 messages, some of them for queues',
      'qstash.deduplication':
        'A message is published once for an id, or for its content, in 10 min',
      'qstash.retries':
        '489 that says so ends a message; Retry-After of 429 and 503 moves that message alone, and uses a retry',
      'qstash.retry-delay':
        'The pause is the expression of the message, or min(86400, e^(2.5 n)) seconds',
      'qstash.callbacks': 'Callbacks follow each attempt, a failure callback the last one',
      'qstash.redaction': 'Redacted fields are REDACTED and their SHA-256 wherever they are read',
      'qstash.order': 'With parallelism 1 the messages of a queue go one at a time, in order',
      'qstash.queues': 'Queues are those that the interface made; others are 409',
      'qstash.flow-control': 'A key bounds what runs and what starts, and holds up no other',
      'qstash.messages': 'A message is read with all that was said of it, until it has ended',
      'qstash.cancel': 'Messages are cancelled by ids and filters; an unknown filter is 400',
      'qstash.dlq': 'The dead letter queue has what failed and was not cancelled, page by page',
      'qstash.logs': 'Logs have the states of messages, CANCELED among them, page by page',
      'qstash.schedules':
        'A schedule publishes once for each of its times, to the endpoints that its URL group has by then',
      'qstash.url-groups': 'A message to a URL group goes to each endpoint of at most 100',
      'qstash.keys':
        'QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY, else keys that are drawn, are read with the right admin',
      'qstash.not-served': 'What is not served is 501 with a sentence that says what to do',
      'qstash.destination': 'A destination in the path reaches no other route, queue or host',
      'qstash.hostile': 'No request is a fault of the service',
      'qstash.faults': 'Kills lose no message',
      'qstash.dev': '`jobgate qstash-dev` serves a program that runs with QSTASH_DEV=1 unchanged',
      'qstash.dev-host': 'It listens on 127.0.0.1 alone, and answers no Host that is not loopback',
      'qstash.documented': 'No page calls missing what has a page',
    },
  },
];
