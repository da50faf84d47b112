// Written by `npm run docs` from the OpenAPI document.

/** One of the known values, or one that another version of the service knows. */
export type Open<Known extends string> = Known | (string & NonNullable<unknown>);

export interface AddedByStepInput {
  /** The queue that it is added to. */
  readonly queue: string;
  /** The kind of job, for the endpoint. */
  readonly name: string;
  /** Anything, for the endpoint; null too. */
  readonly data: unknown;
  /** How the job is processed. */
  readonly opts?: AddedByStepOptionsInput | undefined;
}

export interface AddedByStepOptionsInput {
  /** How often the job is tried in all; 0 means once, as 1 does. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt; a number is that many milliseconds each time. */
  readonly backoff?: number | BackoffInput | undefined;
  /** Milliseconds before the job may start. */
  readonly delay?: number | undefined;
  /** The lowest number goes first, after all jobs without a priority; 0 means none. */
  readonly priority?: number | undefined;
  /** Whether the job goes before those that wait already. */
  readonly lifo?: boolean | undefined;
  /** Which completed jobs stay when it completes: all (false), all but itself (true), or so many. */
  readonly removeOnComplete?: boolean | number | RetentionInput | undefined;
  /** Which failed jobs stay when it fails: all (false), all but itself (true), or so many. */
  readonly removeOnFail?: boolean | number | RetentionInput | undefined;
  /** How many lines its log keeps; 1000 unless given. */
  readonly keepLogs?: number | undefined;
  /** Longest duration of a call for it, in milliseconds, where its endpoint does not allow less. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added in which its first attempt must start, or else it fails. */
  readonly ttl?: number | undefined;
  /** Milliseconds since it was added after which no further attempt starts; the last reason stands then. */
  readonly retryFor?: number | undefined;
  /** How often it may be suspended; 1000 times unless given. */
  readonly maxCalls?: number | undefined;
  /** What its start counts in limiters; 1 unless given. */
  readonly cost?: number | undefined;
  /** The group in whose turns the job starts; all jobs without one are a group of their own. */
  readonly group?: JobGroupInput | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrlInput | CallbackToQueueInput | undefined;
  /** Where this job is called, in place of the endpoint of its worker. */
  readonly endpoint?: DestinationInput | undefined;
}

export interface AllSchedulers {
  /** The number of schedulers on all pages together. */
  readonly total: number;
  /** The schedulers of this page. */
  readonly schedulers: readonly ListedScheduler[];
}

export interface Attempt {
  /** From 1, over all attempts of the job. */
  readonly number: number;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When it ended, in milliseconds since 1970. */
  readonly endedAt: number;
  /** The outcome of the attempt. */
  readonly outcome: Open<
    | 'completed'
    | 'failed'
    | 'timeout'
    | 'refused'
    | 'deferred'
    | 'suspended'
    | 'stalled'
    | 'cancelled'
  >;
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** Why it failed, or what was wrong with the answer that completed the job; else null. */
  readonly reason: string | null;
  /** The first kB of the answer; null when there was none. */
  readonly response?: string | null | undefined;
  /** For how many milliseconds it ran. */
  readonly durationMs: number;
  /** Which replica made it, as `instance` in its log. */
  readonly replica: string | null;
  /** The id of its trace; null when it was not traced. */
  readonly traceId: string | null;
  /** The call, where it had several jobs. */
  readonly batch?: AttemptBatch | undefined;
  /** The amount that its start counted in limiters. */
  readonly cost: number;
  /** The names of the steps that it saved, for a job with steps. */
  readonly saved?: readonly string[] | undefined;
  /** The group of the job, if it has one. */
  readonly group?: string | undefined;
  /** Where it went, for a job that names its own endpoint. */
  readonly url?: string | undefined;
}

export interface AttemptBatch {
  /** The id of the call. */
  readonly id: string;
  /** How many jobs it had. */
  readonly size: number;
}

export interface Attention {
  /** The reason: that of `blocked`, `failing`, or `late` when jobs have waited for more than five minutes. */
  readonly reason: Open<
    'disabled' | 'open' | 'no-worker' | 'paused' | 'children' | 'failing' | 'late'
  >;
  /** From 1, the most severe. */
  readonly severity: number;
}

export interface AuditEntry {
  /** Later entries have greater ids. */
  readonly id: string;
  /** When it was (epoch ms). */
  readonly at: number;
  /** The caller. */
  readonly who: AuditedCaller;
  /** From where. */
  readonly address: string;
  /** The action, as `<thing>.<verb>`. */
  readonly action: string;
  /** The target of the action. */
  readonly target: AuditTarget;
  /** Names of fields, filters and numbers; never data, header values or secrets. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** How it ended. */
  readonly outcome: Open<'ok' | 'refused' | 'failed' | 'started'>;
  /** The status of the answer; null before it. */
  readonly status: number | null;
  /** The id of the request. */
  readonly requestId: string;
}

export interface AuditPage {
  /** The entries, newest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page begins; null on the last. */
  readonly cursor: string | null;
}

export interface AuditTarget {
  /** The queue. */
  readonly queue?: string | undefined;
  /** The id of the job. */
  readonly job?: string | undefined;
  /** The queue of the worker. */
  readonly worker?: string | undefined;
  /** The id of the scheduler. */
  readonly scheduler?: string | undefined;
  /** The id of the hook. */
  readonly hook?: string | undefined;
  /** The name of the limit. */
  readonly limit?: string | undefined;
  /** The name of the topic. */
  readonly topic?: string | undefined;
  /** The id of the subscription. */
  readonly subscription?: string | undefined;
  /** The id of the token. */
  readonly token?: string | undefined;
}

export interface AuditedCaller {
  /** The id of the token; absent in entries of earlier versions. */
  readonly id?: string | undefined;
  /** The name of the token, which other tokens may have too. */
  readonly name: string;
  /** How the request proved who sent it. */
  readonly via: Open<'token' | 'session' | 'sign-in' | 'jwt'>;
  /** The id of the session of a browser. */
  readonly session?: string | undefined;
  /** The person who signed in, as the issuer names them. */
  readonly subject?: string | undefined;
}

export interface AwaitedJob {
  /** Its queue. */
  readonly queue: string;
  /** Its id. */
  readonly id: string;
}

export interface Backoff {
  /** How the wait grows. */
  readonly type?: Open<'exponential' | 'linear' | 'fixed'> | undefined;
  /** The first wait, in milliseconds. */
  readonly delay?: number | undefined;
  /** Which part of the wait is left to chance, from 0 to 1. */
  readonly jitter?: number | undefined;
  /** The longest wait, in milliseconds. */
  readonly maxDelay?: number | undefined;
}

export interface BackoffInput {
  /** How the wait grows: doubled each time, increased by the delay each time, or the same each time. */
  readonly type: Open<'exponential' | 'linear' | 'fixed'>;
  /** The first wait, in milliseconds; 0 unless given. */
  readonly delay?: number | undefined;
  /** Which part of the wait is random: 0 (unless given) for none, 1 for all of it. */
  readonly jitter?: number | undefined;
  /** The longest wait, in milliseconds; 86400000 unless given. */
  readonly maxDelay?: number | undefined;
}

export interface Backpressure {
  /** Statuses that defer a job, with Retry-After or without; 429 and 503 unless given. */
  readonly statuses?: readonly number[] | undefined;
  /** The jobs that wait then: all of the queue, those of the group of the job, or that job alone; unless given the group, and the queue for a job without one. */
  readonly hold?: Open<'queue' | 'group' | 'job'> | undefined;
  /** The longest time that an answer may ask for, in milliseconds; 86400000 unless given. */
  readonly maxHold?: number | undefined;
  /** How often a job is deferred before its attempts count; 100 unless given. */
  readonly maxDeferrals?: number | undefined;
}

export interface BackpressureChangeInput {
  /** Statuses that defer a job, with Retry-After or without; 429 and 503 unless given. */
  readonly statuses?: readonly number[] | null | undefined;
  /** The jobs that wait then: all of the queue, those of the group of the job, or that job alone; unless given the group, and the queue for a job without one. */
  readonly hold?: Open<'queue' | 'group' | 'job'> | null | undefined;
  /** The longest time that an answer may ask for, in milliseconds; 86400000 unless given. */
  readonly maxHold?: number | null | undefined;
  /** How often a job is deferred before its attempts count; 100 unless given. */
  readonly maxDeferrals?: number | null | undefined;
}

export interface BackpressureInput {
  /** Statuses that defer a job, with Retry-After or without; 429 and 503 unless given. */
  readonly statuses?: readonly number[] | undefined;
  /** The jobs that wait then: all of the queue, those of the group of the job, or that job alone; unless given the group, and the queue for a job without one. */
  readonly hold?: Open<'queue' | 'group' | 'job'> | undefined;
  /** The longest time that an answer may ask for, in milliseconds; 86400000 unless given. */
  readonly maxHold?: number | undefined;
  /** How often a job is deferred before its attempts count; 100 unless given. */
  readonly maxDeferrals?: number | undefined;
}

export interface Batch {
  /** Most jobs of a call. */
  readonly size: number;
  /** Milliseconds that a call waits for more jobs after its first was ready; 0 unless given. */
  readonly wait?: number | undefined;
  /** Most bytes of the body, unless one job alone is larger; 1000000 unless given. */
  readonly maxBytes?: number | undefined;
  /** Which jobs share a call: those of the queue unless given, of one group, or of one name. */
  readonly by?: Open<'queue' | 'group' | 'name'> | undefined;
  /** Whether the jobs of a call that failed come again in halves until each is alone; not unless given. */
  readonly split?: boolean | undefined;
}

export interface BatchChangeInput {
  /** Most jobs of a call. */
  readonly size?: number | null | undefined;
  /** Milliseconds that a call waits for more jobs after its first was ready; 0 unless given. */
  readonly wait?: number | null | undefined;
  /** Most bytes of the body, unless one job alone is larger; 1000000 unless given. */
  readonly maxBytes?: number | null | undefined;
  /** Which jobs share a call: those of the queue unless given, of one group, or of one name. */
  readonly by?: Open<'queue' | 'group' | 'name'> | null | undefined;
  /** Whether the jobs of a call that failed come again in halves until each is alone; not unless given. */
  readonly split?: boolean | null | undefined;
}

export interface BatchInput {
  /** Most jobs of a call. */
  readonly size: number;
  /** Milliseconds that a call waits for more jobs after its first was ready; 0 unless given. */
  readonly wait?: number | undefined;
  /** Most bytes of the body, unless one job alone is larger; 1000000 unless given. */
  readonly maxBytes?: number | undefined;
  /** Which jobs share a call: those of the queue unless given, of one group, or of one name. */
  readonly by?: Open<'queue' | 'group' | 'name'> | undefined;
  /** Whether the jobs of a call that failed come again in halves until each is alone; not unless given. */
  readonly split?: boolean | undefined;
}

export interface Blocked {
  /** The first reason that keeps jobs from starting. */
  readonly reason: Open<
    | 'paused'
    | 'held'
    | 'disabled'
    | 'open'
    | 'no-worker'
    | 'window'
    | 'limiter'
    | 'concurrency'
    | 'limit'
    | 'groups'
    | 'delayed'
    | 'suspended'
    | 'children'
  >;
  /** When that ends by itself, in milliseconds since 1970; absent where unknown. */
  readonly until?: number | undefined;
  /** The reason as a sentence for people. */
  readonly detail: string;
  /** The caller that stopped it, with the time and the reason; absent unless a caller did. */
  readonly stop?: Stop | undefined;
  /** The queue of the job that has to end or to be retried first; absent without such a job, or when the token may not use its queue. */
  readonly queue?: string | undefined;
  /** The id of that job. */
  readonly id?: string | undefined;
}

export interface BlockedGroup {
  /** Why no job of the group starts. */
  readonly reason: Open<'paused' | 'held' | 'failed-job' | 'concurrency' | 'limiter'>;
  /** When that ends by itself, in milliseconds since 1970. */
  readonly until?: number | undefined;
  /** The job that failed, or is to be tried again before the others. */
  readonly job?: string | undefined;
}

export interface BlockedJob {
  /** Why the job does not start; null when it starts in its turn, runs or has ended. */
  readonly blocked: Blocked | null;
}

export interface Breaker {
  /** How many jobs in a row must end in a connection error, a timeout or 5xx. */
  readonly failures: number;
  /** For how many milliseconds no call starts then; 30000 unless given. */
  readonly openFor?: number | undefined;
  /** Up to how many milliseconds that time doubles with each probe that fails; 600000 unless given. */
  readonly maxOpenFor?: number | undefined;
}

export interface BreakerChangeInput {
  /** How many jobs in a row must end in a connection error, a timeout or 5xx. */
  readonly failures?: number | null | undefined;
  /** For how many milliseconds no call starts then; 30000 unless given. */
  readonly openFor?: number | null | undefined;
  /** Up to how many milliseconds that time doubles with each probe that fails; 600000 unless given. */
  readonly maxOpenFor?: number | null | undefined;
}

export interface BreakerInput {
  /** How many jobs in a row must end in a connection error, a timeout or 5xx. */
  readonly failures: number;
  /** For how many milliseconds no call starts then; 30000 unless given. */
  readonly openFor?: number | undefined;
  /** Up to how many milliseconds that time doubles with each probe that fails; 600000 unless given. */
  readonly maxOpenFor?: number | undefined;
}

export interface BulkRepairInput {
  /** Which jobs; `all` in its place takes all that it may. */
  readonly filter?: JobFilterInput | undefined;
  /** Whether all jobs are meant that the repair takes by itself. */
  readonly all?: true | undefined;
  /** Milliseconds since they ended, or since they were added when they have not ended. */
  readonly olderThan?: number | undefined;
  /** Most jobs to repair, the oldest; 1000 unless given. */
  readonly limit?: number | undefined;
  /** Whether nothing is changed, and samples are answered. */
  readonly dryRun?: boolean | undefined;
}

export interface CallSeries {
  /** Half of them took no longer. */
  readonly p50: readonly (number | null)[];
  /** 95 of 100 took no longer. */
  readonly p95: readonly (number | null)[];
  /** 99 of 100 took no longer. */
  readonly p99: readonly (number | null)[];
}

export interface CallbackPolicy {
  /** The origins that callbacks may call: none if it is empty. */
  readonly origins: readonly string[];
  /** Signs the callbacks after Standard Webhooks; returned only when the service made it, once. */
  readonly secret?: string | undefined;
  /** Whether a secret signs them; true without a secret keeps the one that is stored, or makes one. */
  readonly signed?: boolean | undefined;
}

export interface CallbackPolicyInput {
  /** The origins that callbacks may call: none if it is empty. */
  readonly origins: readonly string[];
  /** Signs the callbacks after Standard Webhooks; returned only when the service made it, once. */
  readonly secret?: string | undefined;
  /** Whether a secret signs them; true without a secret keeps the one that is stored, or makes one. */
  readonly signed?: boolean | undefined;
}

export interface CallbackToQueue {
  /** The queue that gets a job. */
  readonly queue?: string | undefined;
  /** The name of that job: the type of the event unless given. */
  readonly name?: string | undefined;
  /** The data that it gets: the event, or a copy of the job, as in a dead letter queue; the event unless given. */
  readonly as?: Open<'event' | 'job'> | undefined;
  /** Which ends it follows: both unless given. */
  readonly on?: string | readonly Open<'completed' | 'failed'>[] | undefined;
}

export interface CallbackToQueueInput {
  /** The queue that gets a job. */
  readonly queue: string;
  /** The name of that job: the type of the event unless given. */
  readonly name?: string | undefined;
  /** The data that it gets: the event, or a copy of the job, as in a dead letter queue; the event unless given. */
  readonly as?: Open<'event' | 'job'> | undefined;
  /** Which ends it follows: both unless given. */
  readonly on?: readonly Open<'completed' | 'failed'>[] | undefined;
}

export interface CallbackToUrl {
  /** Where the result is sent: of an origin that the policy of the queue allows. */
  readonly url?: string | undefined;
  /** Headers of the call, which often hold a secret. */
  readonly headers?: string | Readonly<Record<string, string>> | undefined;
  /** Which ends it follows: both unless given. */
  readonly on?: string | readonly Open<'completed' | 'failed'>[] | undefined;
}

export interface CallbackToUrlInput {
  /** Where the result is sent: of an origin that the policy of the queue allows. */
  readonly url: string;
  /** Headers of the call, which often hold a secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Which ends it follows: both unless given. */
  readonly on?: readonly Open<'completed' | 'failed'>[] | undefined;
}

export interface CancellationInput {
  /** Why the job fails; `Cancelled` unless given. */
  readonly reason?: string | undefined;
  /** Whether the jobs that it waits for are cancelled too, and those below them. */
  readonly children?: boolean | undefined;
}

export interface ChangedWorker {
  /** The queue whose jobs it processes. */
  readonly queue: string;
  /** Where and how jobs are delivered. */
  readonly endpoint: Endpoint;
  /** How jobs are processed. */
  readonly opts?: WorkerOptions | undefined;
  /** The new secret that signs its calls, which is shown only this once. */
  readonly secret?: string | undefined;
}

export interface Connections {
  /** How many are used, by all programs. */
  readonly used: number;
  /** How many there may be. */
  readonly most: number;
}

export interface CreatedToken {
  /** The token itself, which is shown this once. */
  readonly token: string;
  /** The id that names it in paths and in records. */
  readonly id: string;
  /** Its purpose. */
  readonly name: string;
  /** The beginning of its secret, to recognize it by. */
  readonly hint: string | null;
  /** Its rights. */
  readonly rights: readonly Open<
    | 'read'
    | 'data'
    | 'add'
    | 'process'
    | 'operate'
    | 'configure'
    | 'metrics'
    | 'tokens'
    | 'audit'
    | 'admin'
  >[];
  /** Patterns of its queues; null for all. */
  readonly queues: readonly string[] | null;
  /** When it ends (epoch ms); null for never. */
  readonly expires: number | null;
  /** How much it may do in a time; null for what all may. */
  readonly limits: TokenLimits | null;
  /** From which networks it works; null for all. */
  readonly addresses: readonly string[] | null;
  /** When it was made (epoch ms). */
  readonly createdAt: number | null;
  /** The name of the token that made it. */
  readonly createdBy: string | null;
  /** The id of the token that made it, with which it ends and whose limits it shares; null for a token of the environment. */
  readonly parent: string | null;
  /** When it was used last (epoch ms), at most a minute old. */
  readonly lastUsedAt: number | null;
  /** From where it was used last. */
  readonly lastAddress: string | null;
  /** Where it comes from. */
  readonly source: Open<'api' | 'file' | 'environment'>;
}

export interface DatabaseFacts {
  /** How many rows are dead and not yet removed, as the server estimates. */
  readonly deadRows: DeadRows;
  /** The oldest snapshot or transaction of another program, which keeps dead rows; null without one. */
  readonly oldestSnapshot: ForeignSnapshot | null;
  /** The connections of the server. */
  readonly connections: Connections;
  /** Whether the server notifies the replica that answers of changes; it asks every 100 ms otherwise. */
  readonly isNotified: boolean;
  /** Whether the replica that answers can fold the log, which grows without end otherwise. */
  readonly isFolded: boolean;
  /** For how many milliseconds the replica that answers lacked what others changed, at most, within the last minute. */
  readonly behindMs: number;
}

export interface DeadLetters {
  /** The queues whose failed jobs policies send there, by name. */
  readonly from: readonly string[];
}

export interface DeadRows {
  /** Of the table log. */
  readonly log: number;
  /** Of the table records. */
  readonly records: number;
  /** Of the table inbox. */
  readonly inbox: number;
}

export interface Deduplication {
  /** While a job stands for this id, others of it are not added. */
  readonly id?: string | undefined;
  /** Milliseconds that a job stands for the id. */
  readonly ttl?: number | undefined;
  /** Whether a job that is not added makes the time begin anew. */
  readonly extend?: boolean | undefined;
  /** Whether it takes the place of a delayed job. */
  readonly replace?: boolean | undefined;
  /** Whether the last job is added when the active one ends. */
  readonly keepLastIfActive?: boolean | undefined;
  /** Whether a delayed job takes its delay. */
  readonly reschedule?: boolean | undefined;
}

export interface DeduplicationInput {
  /** While a job of the queue stands for this id, the job is not added. */
  readonly id: string;
  /** Milliseconds that the job stands for its id, even if it ends before; 0 and absent mean until it ends. */
  readonly ttl?: number | undefined;
  /** Whether a job that is not added makes the time begin anew. */
  readonly extend?: boolean | undefined;
  /** Whether it takes the place of a job that is delayed. */
  readonly replace?: boolean | undefined;
  /** Whether the last job that was not added during the attempt of another is added when that one ends; ttl does not count then. */
  readonly keepLastIfActive?: boolean | undefined;
  /** Whether a delayed job waits for the delay of the one that is not added, from now; not with replace. */
  readonly reschedule?: boolean | undefined;
}

export interface Destination {
  /** Where the job is sent: of an origin that the policy of the queue allows. */
  readonly url?: string | undefined;
  /** Headers of its calls, which often hold a secret; those of the worker are not sent. */
  readonly headers?: string | Readonly<Record<string, string>> | undefined;
  /** The method of its calls: that of the worker unless given. */
  readonly method?:
    | Open<
        'post' | 'get' | 'put' | 'delete' | 'patch' | 'POST' | 'GET' | 'PUT' | 'DELETE' | 'PATCH'
      >
    | undefined;
}

export interface DestinationInput {
  /** Where the job is sent: of an origin that the policy of the queue allows. */
  readonly url: string;
  /** Headers of its calls, which often hold a secret; those of the worker are not sent. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The method of its calls: that of the worker unless given. */
  readonly method?:
    | Open<
        'post' | 'get' | 'put' | 'delete' | 'patch' | 'POST' | 'GET' | 'PUT' | 'DELETE' | 'PATCH'
      >
    | undefined;
}

export interface Drained {
  /** How many jobs were removed. */
  readonly removed: number;
}

export interface EndedJob {
  /** How it ended. */
  readonly state: Open<'completed' | 'failed'>;
  /** The answer of the endpoint, when it completed. */
  readonly returnvalue: unknown;
  /** Why its last attempt failed, when it failed. */
  readonly failedReason?: string | undefined;
}

export interface Endpoint {
  /** Where jobs are sent: http or https, without user name or password; null where each job names its own, as the policy of the queue allows (`endpoints`). */
  readonly url: string | null;
  /** The method of the calls: in any case, kept in lower case. */
  readonly method: Open<
    'post' | 'get' | 'put' | 'delete' | 'patch' | 'POST' | 'GET' | 'PUT' | 'DELETE' | 'PATCH'
  >;
  /** Longest duration of a whole call, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The body of a call: {job, token} unless given, else the data of the job, or nothing. */
  readonly body?: Open<'envelope' | 'data' | 'none'> | undefined;
  /** The statuses of answers that complete a job: ["200-209"] unless given. */
  readonly success?: readonly string[] | undefined;
  /** Whether calls are signed after Standard Webhooks; not unless given. */
  readonly signing?: boolean | undefined;
  /** Whether calls carry the saved steps of their jobs, and an answer 206 saves steps or suspends. */
  readonly steps?: boolean | undefined;
  /** The meaning of an answer 202: `defer` leaves the job active, to be completed by its token. */
  readonly accepted?: Open<'defer'> | undefined;
  /** Milliseconds in which an accepted job must complete; 3600000 unless given. */
  readonly deferTimeout?: number | undefined;
  /** Headers of every call, which often hold a secret: at most 8192 characters of names and values together. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface EndpointChangeInput {
  /** Where jobs are sent: http or https, without user name or password; null where each job names its own, as the policy of the queue allows (`endpoints`). */
  readonly url?: string | null | undefined;
  /** The method of the calls: in any case, kept in lower case. */
  readonly method?:
    | Open<
        'post' | 'get' | 'put' | 'delete' | 'patch' | 'POST' | 'GET' | 'PUT' | 'DELETE' | 'PATCH'
      >
    | null
    | undefined;
  /** Longest duration of a whole call, in milliseconds. */
  readonly timeout?: number | null | undefined;
  /** The body of a call: {job, token} unless given, else the data of the job, or nothing. */
  readonly body?: Open<'envelope' | 'data' | 'none'> | null | undefined;
  /** The statuses of answers that complete a job: ["200-209"] unless given. */
  readonly success?: readonly string[] | null | undefined;
  /** Whether calls are signed after Standard Webhooks; not unless given. */
  readonly signing?: boolean | null | undefined;
  /** Whether calls carry the saved steps of their jobs, and an answer 206 saves steps or suspends. */
  readonly steps?: boolean | null | undefined;
  /** The meaning of an answer 202: `defer` leaves the job active, to be completed by its token. */
  readonly accepted?: Open<'defer'> | null | undefined;
  /** Milliseconds in which an accepted job must complete; 3600000 unless given. */
  readonly deferTimeout?: number | null | undefined;
  /** Headers of every call, which often hold a secret. */
  readonly headers?: Readonly<Record<string, string | null>> | null | undefined;
}

export interface EndpointInput {
  /** Where jobs are sent: http or https, without user name or password; null where each job names its own, as the policy of the queue allows (`endpoints`). */
  readonly url: string | null;
  /** The method of the calls: in any case, kept in lower case. */
  readonly method: Open<
    'post' | 'get' | 'put' | 'delete' | 'patch' | 'POST' | 'GET' | 'PUT' | 'DELETE' | 'PATCH'
  >;
  /** Longest duration of a whole call, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The body of a call: {job, token} unless given, else the data of the job, or nothing. */
  readonly body?: Open<'envelope' | 'data' | 'none'> | undefined;
  /** The statuses of answers that complete a job: ["200-209"] unless given. */
  readonly success?: readonly string[] | undefined;
  /** Whether calls are signed after Standard Webhooks; not unless given. */
  readonly signing?: boolean | undefined;
  /** Whether calls carry the saved steps of their jobs, and an answer 206 saves steps or suspends. */
  readonly steps?: boolean | undefined;
  /** The meaning of an answer 202: `defer` leaves the job active, to be completed by its token. */
  readonly accepted?: Open<'defer'> | undefined;
  /** Milliseconds in which an accepted job must complete; 3600000 unless given. */
  readonly deferTimeout?: number | undefined;
  /** Headers of every call, which often hold a secret: at most 8192 characters of names and values together. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface EndpointPolicy {
  /** The origins of destinations that jobs may name: none if it is empty. */
  readonly origins: readonly string[];
}

export interface EndpointPolicyInput {
  /** The origins of destinations that jobs may name: none if it is empty. */
  readonly origins: readonly string[];
}

export interface Failing {
  /** Over how many milliseconds: those of an hour, or of 24. */
  readonly window: number;
  /** How many jobs ended in that time. */
  readonly ended: number;
  /** How many of them failed for good. */
  readonly failed: number;
}

export interface FailureGroup {
  /** The reason, with numbers, ids, addresses and quoted parts masked. */
  readonly cause: string;
  /** The reason of the latest of these jobs. */
  readonly reason: string;
  /** The status of the last answer; null when the reason does not contain it. */
  readonly status: number | null;
  /** How many of the jobs failed for this cause. */
  readonly count: number;
  /** When the first of them failed, in milliseconds since 1970. */
  readonly first: number;
  /** When the last of them failed, in milliseconds since 1970. */
  readonly last: number;
  /** The ids of some of them, the latest first. */
  readonly samples: readonly string[];
}

export interface Failures {
  /** How many of the latest failed jobs were examined. */
  readonly window: number;
  /** How many failed jobs the queue holds. */
  readonly failed: number;
  /** Why they failed, the most frequent cause first. */
  readonly causes: readonly FailureGroup[];
}

export interface FigureSeries {
  /** How many jobs were added in each step. */
  readonly added: readonly (number | null)[];
  /** How many jobs were completed in each step. */
  readonly completed: readonly (number | null)[];
  /** How many jobs were failed in each step. */
  readonly failed: readonly (number | null)[];
  /** How many jobs were retried in each step. */
  readonly retried: readonly (number | null)[];
  /** How many jobs were deferred in each step. */
  readonly deferred: readonly (number | null)[];
  /** How many jobs were stalled in each step. */
  readonly stalled: readonly (number | null)[];
  /** The sum that the starts of attempts counted in limiters: the cost in their options when they start, and the difference to that once an answer or a report says otherwise. */
  readonly cost: readonly (number | null)[];
  /** How many jobs were waiting or prioritized at the end of each step. */
  readonly waiting: readonly (number | null)[];
  /** For how many milliseconds the oldest of them could have started; null without one. */
  readonly oldestWaiting: readonly (number | null)[];
  /** How long jobs waited for their first attempt, in milliseconds; null without one. */
  readonly waitMs: WaitSeries;
  /** How long calls took, in milliseconds; null without one. */
  readonly callMs: CallSeries;
  /** How calls were answered. */
  readonly status: StatusSeries;
}

export interface FiguredQueue {
  /** The name of the queue. */
  readonly name: string;
  /** Whether no job starts until the queue is resumed. */
  readonly paused: boolean;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** The caller that holds it, with the time and the reason; absent unless one does. */
  readonly hold?: Stop | undefined;
  /** How many jobs of each state the queue holds. */
  readonly counts: StateCounts;
  /** For how many milliseconds the oldest waiting or prioritized job could have started; null when none waits. */
  readonly oldestWaiting: number | null;
  /** The worker; null without one. */
  readonly worker: ListedWorker | null;
  /** Present where the worker has no URL of its own: each job names its destination. */
  readonly destinations?: true | undefined;
  /** Why nothing starts although jobs wait; null when jobs start, or none waits. */
  readonly blocked: Blocked | null;
  /** Jobs per minute, as a mean of the last five whole minutes, or of those since a younger queue began; in its first minute, the jobs so far. */
  readonly rates: Rates;
  /** Of the jobs that ended within the last hour, the part that failed; null without one. */
  readonly failureRate: number | null;
  /** Whether jobs fail: more than a fifth of at least ten that ended within the last hour, or all of at least three within the last 24 hours; null if not. */
  readonly failing: Failing | null;
  /** Why an operator should look at the queue: nothing starts that should, a pause or a limit keeps jobs for long, or jobs fail; null if there is no such reason. */
  readonly attention: Attention | null;
  /** The completions of each of the last 30 whole minutes, oldest first. */
  readonly spark: readonly number[];
}

export interface FiguredQueuesPage {
  /** When the queues were looked at, in milliseconds since 1970. */
  readonly at: number;
  /** The number of queues on all pages together. */
  readonly total: number;
  /** The queues of this page. */
  readonly queues: readonly FiguredQueue[];
}

export interface Figures {
  /** The length of a step, in milliseconds. */
  readonly step: number;
  /** When the first step began, in milliseconds since 1970. */
  readonly from: number;
  /** A value for each step, the first at `from`; null for a step that nobody counted. */
  readonly series: FigureSeries;
}

export interface FlowChild {
  /** The queue of the job. */
  readonly queue: string;
  /** The id in its queue. */
  readonly id: string;
  /** The kind of job; null when it is gone. */
  readonly name: string | null;
  /** Where it is, or how it ended for its parent; null when it is gone and did not end before. */
  readonly state: Open<
    'active' | 'waiting' | 'prioritized' | 'delayed' | 'completed' | 'failed' | 'waiting-children'
  > | null;
  /** The answer of the endpoint; null until it completes. */
  readonly returnvalue: unknown;
}

export interface FlowJobInput {
  /** The queue that it is added to. */
  readonly queue: string;
  /** The kind of job, for the endpoint. */
  readonly name: string;
  /** Anything, for the endpoint; null too. */
  readonly data: unknown;
  /** How the job is processed. */
  readonly opts?: JobOptionsInput | undefined;
  /** The effect of its failure on the job above it, which waits unless this is given. */
  readonly onChildFailure?: Open<'wait' | 'fail' | 'continue' | 'ignore'> | undefined;
  /** The jobs that have to complete before it starts. */
  readonly children?: readonly FlowJobInput[] | undefined;
}

export interface ForeignSnapshot {
  /** The `application_name` of its session. */
  readonly application: string;
  /** How long its transaction has run, in milliseconds; null when the role of the service may not know. */
  readonly ageMs: number | null;
  /** How many transactions have begun since. */
  readonly transactions: number;
}

export interface Group {
  /** The id of the group; empty for the jobs without one. */
  readonly id: string;
  /** How many of its jobs wait. */
  readonly waiting: number;
  /** How many of its jobs run. */
  readonly active: number;
  /** How many of its jobs are delayed. */
  readonly delayed: number;
  /** The age of its waiting job that is next, in milliseconds; null when none waits. */
  readonly oldestWaiting: number | null;
  /** Its part of the starts of the last five minutes. */
  readonly share: number;
  /** Whether it is paused. */
  readonly paused: boolean;
  /** Until when it is held, in milliseconds since 1970. */
  readonly heldUntil: number | null;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** The caller that holds it, with the time and the reason; absent unless one does. */
  readonly hold?: Stop | undefined;
  /** Why none of its waiting jobs starts. */
  readonly blocked: BlockedGroup | null;
  /** Its own settings. */
  readonly settings: GroupSettings | null;
}

export interface GroupDefaults {
  /** Most jobs of a group that run at a time, over all replicas. */
  readonly concurrency?: number | undefined;
  /** Bounds the rate at which jobs of a group start. */
  readonly limiter?: Limiter | undefined;
  /** Most waiting jobs of a group that an add may lead to. */
  readonly maxWaiting?: number | undefined;
  /** Whether jobs of a group run one at a time and in order; a job that failed for good is then passed over (skip) or blocks its group (block). */
  readonly ordered?: false | Open<'skip' | 'block'> | undefined;
}

export interface GroupDefaultsChangeInput {
  /** Most jobs of a group that run at a time, over all replicas. */
  readonly concurrency?: number | null | undefined;
  /** Bounds the rate at which jobs of a group start. */
  readonly limiter?: LimiterChangeInput | null | undefined;
  /** Most waiting jobs of a group that an add may lead to. */
  readonly maxWaiting?: number | null | undefined;
  /** Whether jobs of a group run one at a time and in order; a job that failed for good is then passed over (skip) or blocks its group (block). */
  readonly ordered?: false | Open<'skip' | 'block'> | null | undefined;
}

export interface GroupDefaultsInput {
  /** Most jobs of a group that run at a time, over all replicas. */
  readonly concurrency?: number | undefined;
  /** Bounds the rate at which jobs of a group start. */
  readonly limiter?: LimiterInput | undefined;
  /** Most waiting jobs of a group that an add may lead to. */
  readonly maxWaiting?: number | undefined;
  /** Whether jobs of a group run one at a time and in order; a job that failed for good is then passed over (skip) or blocks its group (block). */
  readonly ordered?: false | Open<'skip' | 'block'> | undefined;
}

export interface GroupSettings {
  /** Most jobs of a group that run at a time, over all replicas. */
  readonly concurrency?: number | undefined;
  /** Bounds the rate at which jobs of a group start. */
  readonly limiter?: Limiter | undefined;
  /** How many turns the group gets beside a group of weight 1; 1 unless given. */
  readonly weight?: number | undefined;
  /** Most waiting jobs of a group that an add may lead to. */
  readonly maxWaiting?: number | undefined;
  /** When the settings end to hold, epoch ms; never unless given. */
  readonly expires?: number | undefined;
}

export interface GroupsPage {
  /** How many groups there are on all pages. */
  readonly total: number;
  /** The groups of the page. */
  readonly groups: readonly Group[];
}

export interface Held {
  /** Until when no job of the queue starts, in milliseconds since 1970. */
  readonly until: number;
}

export interface Hook {
  /** Its id. */
  readonly id: string;
  /** Where messages are sent: http or https, without user name or password. */
  readonly url: string;
  /** The headers of every call; their values are `[redacted]`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether calls are signed after Standard Webhooks. */
  readonly signing: boolean;
  /** The events that it reports: their names, or `job.*`, `queue.*`, `worker.*` for all whose needs are given. */
  readonly events: readonly Open<
    | 'job.completed'
    | 'job.failed'
    | 'job.expired'
    | 'job.cancelled'
    | 'queue.late'
    | 'queue.full'
    | 'queue.failing'
    | 'queue.unserved'
    | 'worker.open'
    | 'worker.disabled'
    | 'scheduler.missed'
    | 'hook.failing'
    | 'job.*'
    | 'queue.*'
    | 'worker.*'
  >[];
  /** Of which queues; of several patterns the last that matches counts. All unless given. */
  readonly queues?: readonly string[] | undefined;
  /** From when on something is wrong. */
  readonly when?: HookConditions | undefined;
  /** How long (ms) a condition must hold before it is reported. */
  readonly for: number;
  /** After how long (ms) a condition that lasts is reported again; null for never. */
  readonly repeat: number | null;
  /** `cause` reports the first failure of each cause in 24 hours; only for `job.failed`. */
  readonly distinct?: Open<'cause'> | undefined;
  /** The shape of its messages. */
  readonly format: Open<'standard' | 'cloudevents' | 'slack' | 'alertmanager'>;
  /** Whether it makes no messages, and sends none. */
  readonly paused: boolean;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** Why the service paused it; absent when a client did. */
  readonly pausedReason?: string | undefined;
  /** When it was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Why its secrets cannot be read, so that nothing can be sent. */
  readonly unreadable?: string | undefined;
}

export interface HookConditions {
  /** How long (ms) the oldest waiting job may wait. */
  readonly oldestWaiting?: number | undefined;
  /** How many jobs may wait. */
  readonly waiting?: number | undefined;
  /** How many jobs may fail. */
  readonly failureRate?: HookFailureRate | undefined;
  /** How long (ms) jobs may wait without a worker and a claim. */
  readonly noWorker?: number | undefined;
  /** How long (ms) after its time the job of a scheduler may be absent: 60000 unless given. */
  readonly missed?: number | undefined;
}

export interface HookConditionsInput {
  /** How long (ms) the oldest waiting job may wait. */
  readonly oldestWaiting?: number | undefined;
  /** How many jobs may wait. */
  readonly waiting?: number | undefined;
  /** How many jobs may fail. */
  readonly failureRate?: HookFailureRateInput | undefined;
  /** How long (ms) jobs may wait without a worker and a claim. */
  readonly noWorker?: number | undefined;
  /** How long (ms) after its time the job of a scheduler may be absent: 60000 unless given. */
  readonly missed?: number | undefined;
}

export interface HookDeliveries {
  /** The newest first. */
  readonly deliveries: readonly HookDelivery[];
}

export interface HookDelivery {
  /** The name of the event. */
  readonly type: string;
  /** Its id. */
  readonly id: string;
  /** The `webhook-id` of every attempt. */
  readonly webhookId: string;
  /** When the message was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** How far it has come. */
  readonly state: Open<'pending' | 'delivered' | 'failed'>;
  /** How many attempts were made. */
  readonly attempts: number;
  /** The status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** Why the last attempt failed; null when it did not. */
  readonly reason: string | null;
  /** When the next attempt is due, in milliseconds since 1970; null when there is none. */
  readonly nextAt: number | null;
  /** How many milliseconds the last attempt took; null before it. */
  readonly durationMs: number | null;
}

export interface HookFailureRate {
  /** The part of the jobs that may fail: more is too many. */
  readonly over: number;
  /** Over how long (ms): the last 600000 unless given. */
  readonly window?: number | undefined;
  /** How many jobs must end in it: 10 unless given. */
  readonly atLeast?: number | undefined;
}

export interface HookFailureRateInput {
  /** The part of the jobs that may fail: more is too many. */
  readonly over: number;
  /** Over how long (ms): the last 600000 unless given. */
  readonly window?: number | undefined;
  /** How many jobs must end in it: 10 unless given. */
  readonly atLeast?: number | undefined;
}

export interface HookInput {
  /** Where messages are sent: http or https, without user name or password. */
  readonly url: string;
  /** Headers of every call, which often hold a secret: at most 8192 characters of names and values together. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether calls are signed after Standard Webhooks; true unless given. */
  readonly signing?: boolean | undefined;
  /** The events that it reports: their names, or `job.*`, `queue.*`, `worker.*` for all whose needs are given. */
  readonly events: readonly Open<
    | 'job.completed'
    | 'job.failed'
    | 'job.expired'
    | 'job.cancelled'
    | 'queue.late'
    | 'queue.full'
    | 'queue.failing'
    | 'queue.unserved'
    | 'worker.open'
    | 'worker.disabled'
    | 'scheduler.missed'
    | 'hook.failing'
    | 'job.*'
    | 'queue.*'
    | 'worker.*'
  >[];
  /** Of which queues; of several patterns the last that matches counts. All unless given. */
  readonly queues?: readonly string[] | undefined;
  /** From when on something is wrong. */
  readonly when?: HookConditionsInput | undefined;
  /** How long (ms) a condition must hold before it is reported: 60000 unless given. */
  readonly for?: number | undefined;
  /** After how long (ms) a condition that lasts is reported again; never unless given. */
  readonly repeat?: number | null | undefined;
  /** `cause` reports the first failure of each cause in 24 hours; only for `job.failed`. */
  readonly distinct?: Open<'cause'> | undefined;
  /** The shape of its messages: standard unless given. */
  readonly format?: Open<'standard' | 'cloudevents' | 'slack' | 'alertmanager'> | undefined;
  /** Whether it makes no messages, and sends none. */
  readonly paused?: boolean | undefined;
  /** Why it is paused, for those who ask; only with `paused`. */
  readonly reason?: string | undefined;
}

export interface Hooks {
  /** How many there are. */
  readonly total: number;
  /** The hooks, by id. */
  readonly hooks: readonly Hook[];
}

export interface Job {
  /** The id in its queue. */
  readonly id: string;
  /** The kind of job. */
  readonly name: string;
  /** The data for the endpoint, as its producer sent it. */
  readonly data: unknown;
  /** How it is processed. */
  readonly opts: JobOptions;
  /** The progress that the endpoint reported last; 0 at first. */
  readonly progress: unknown;
  /** The answer of the endpoint; null until it completes. */
  readonly returnvalue: unknown;
  /** Why its last attempt failed. */
  readonly failedReason?: string | undefined;
  /** The reasons of its failed attempts, oldest first; null until one fails. */
  readonly stacktrace: readonly string[] | null;
  /** How many attempts started. */
  readonly attemptsStarted: number;
  /** How many attempts ended. */
  readonly attemptsMade: number;
  /** Milliseconds that it waits before it may start. */
  readonly delay: number;
  /** The priority of its options; absent when it has none. */
  readonly priority?: number | undefined;
  /** The deduplication id of its options; absent when it has none. */
  readonly deduplicationId?: string | undefined;
  /** When it was added, in milliseconds since 1970. */
  readonly timestamp: number;
  /** When its last attempt started, in milliseconds since 1970. */
  readonly processedOn?: number | undefined;
  /** When it completed or failed, in milliseconds since 1970. */
  readonly finishedOn?: number | undefined;
  /** Whether its values were removed, as a policy or an erasure asked. */
  readonly redacted?: true | undefined;
  /** When its values were removed, in milliseconds since 1970. */
  readonly redactedOn?: number | undefined;
  /** The name of its queue after the prefix of the store. */
  readonly queueQualifiedName: string;
  /** Of a letter in a dead letter queue: the options of its original, which a redrive restores. */
  readonly originOpts?: JobOptions | undefined;
  /** Where it is. */
  readonly state: Open<
    'active' | 'waiting' | 'prioritized' | 'delayed' | 'completed' | 'failed' | 'waiting-children'
  >;
  /** The job that a letter in a dead letter queue is a copy of; absent for other jobs. */
  readonly origin?: JobOrigin | undefined;
  /** The signals and times that it still awaits; null for a job that is not suspended. In the answer for one job alone. */
  readonly suspended?: Suspended | null | undefined;
  /** The outcome of the callback that followed its latest end; absent before there is one, and in lists. */
  readonly callback?: JobCallback | undefined;
}

export interface JobAttempts {
  /** How many attempts were made in all. */
  readonly count: number;
  /** The last ten of them, oldest first. */
  readonly attempts: readonly Attempt[];
}

export interface JobCallback {
  /** Whether it was delivered. */
  readonly state: Open<'pending' | 'delivered' | 'failed'>;
  /** How many attempts were made. */
  readonly attempts: number;
  /** The status of the last answer; null without one, and where a job was added to a queue. */
  readonly lastStatus: number | null;
}

export interface JobChangeInput {
  /** Anything, in place of the data that the job has. */
  readonly data?: unknown;
  /** The lowest number goes first, after all jobs without a priority; 0 means none. */
  readonly priority?: number | undefined;
  /** Milliseconds from now before the job may start. */
  readonly delay?: number | undefined;
  /** What its start counts in limiters; 1 unless given. */
  readonly cost?: number | undefined;
}

export interface JobCounts {
  /** How many jobs are active. */
  readonly active: number;
  /** How many jobs are waiting. */
  readonly waiting: number;
  /** How many jobs are prioritized. */
  readonly prioritized: number;
  /** How many jobs are delayed. */
  readonly delayed: number;
  /** How many jobs are completed. */
  readonly completed: number;
  /** How many jobs are failed. */
  readonly failed: number;
  /** How many jobs wait for others; only when they are asked for. */
  readonly 'waiting-children'?: number | undefined;
}

export interface JobFilterInput {
  /** The ids of the jobs, at most 1000. */
  readonly ids?: readonly string[] | undefined;
  /** The cause of its failure, as the failures of the queue list it. */
  readonly cause?: string | undefined;
  /** Where the job is. */
  readonly statuses?:
    | readonly Open<
        | 'active'
        | 'waiting'
        | 'prioritized'
        | 'delayed'
        | 'completed'
        | 'failed'
        | 'waiting-children'
      >[]
    | undefined;
  /** The name of the job. */
  readonly name?: string | undefined;
  /** The group of the job; empty for those without one. */
  readonly group?: string | undefined;
  /** A part of the reason of its failure. */
  readonly reason?: string | undefined;
  /** The status of the last answer. */
  readonly status?: number | undefined;
  /** When it was added at the earliest, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** When it was added at the latest, in milliseconds since 1970. */
  readonly to?: number | undefined;
}

export interface JobGroup {
  /** The group that the job belongs to. */
  readonly id?: string | undefined;
  /** How much of the turns of its group the job takes; 1 unless given. */
  readonly cost?: number | undefined;
}

export interface JobGroupInput {
  /** The group that the job belongs to. */
  readonly id: string;
  /** How much of the turns of its group the job takes; 1 unless given. */
  readonly cost?: number | undefined;
}

export interface JobInput {
  /** The kind of job, for the endpoint. */
  readonly name: string;
  /** Anything, for the endpoint; null too. */
  readonly data: unknown;
  /** How the job is processed. */
  readonly opts?: JobOptionsInput | undefined;
}

export interface JobLogs {
  /** How many lines the job keeps. */
  readonly count: number;
  /** The lines of this page, oldest first. */
  readonly logs: readonly string[];
}

export interface JobOptions {
  /** How often the job is tried in all; 0 means once. */
  readonly attempts: number;
  /** The wait before another attempt. */
  readonly backoff?: Backoff | undefined;
  /** The lowest number goes first, after all jobs without a priority. */
  readonly priority?: number | undefined;
  /** Whether the job went before those that waited already. */
  readonly lifo?: boolean | undefined;
  /** The id that its producer gave it. */
  readonly jobId?: string | undefined;
  /** Which completed jobs stay when it completes. */
  readonly removeOnComplete?: boolean | number | JobRetention | undefined;
  /** Which failed jobs stay when it fails. */
  readonly removeOnFail?: boolean | number | JobRetention | undefined;
  /** How many lines its log keeps. */
  readonly keepLogs?: number | undefined;
  /** Longest duration of a call for it, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added in which its first attempt had to start. */
  readonly ttl?: number | undefined;
  /** Milliseconds since it was added after which no further attempt starts. */
  readonly retryFor?: number | undefined;
  /** How often it may be suspended. */
  readonly maxCalls?: number | undefined;
  /** The amount that its start counts in limiters. */
  readonly cost?: number | undefined;
  /** The group in whose turns the job starts. */
  readonly group?: JobGroup | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrl | CallbackToQueue | undefined;
  /** Where this job is called, in place of the endpoint of its worker; values of headers are not shown. */
  readonly endpoint?: Destination | undefined;
  /** Kept it from being added while another one stood for the same id. */
  readonly deduplication?: Deduplication | undefined;
  /** Whether a job that waits for it fails when it does. */
  readonly failParentOnFailure?: boolean | undefined;
  /** Whether a job that waits for it starts at once when it fails. */
  readonly continueParentOnFailure?: boolean | undefined;
  /** Whether a job that waits for it continues when it fails as if it had completed. */
  readonly ignoreDependencyOnFailure?: boolean | undefined;
  /** Milliseconds before the job may start. */
  readonly delay: number;
}

export interface JobOptionsInput {
  /** How often the job is tried in all; 0 means once, as 1 does. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt; a number is that many milliseconds each time. */
  readonly backoff?: number | BackoffInput | undefined;
  /** Milliseconds before the job may start. */
  readonly delay?: number | undefined;
  /** The lowest number goes first, after all jobs without a priority; 0 means none. */
  readonly priority?: number | undefined;
  /** Whether the job goes before those that wait already. */
  readonly lifo?: boolean | undefined;
  /** An id of your own; a job whose id exists already is not added. */
  readonly jobId?: string | undefined;
  /** Which completed jobs stay when it completes: all (false), all but itself (true), or so many. */
  readonly removeOnComplete?: boolean | number | RetentionInput | undefined;
  /** Which failed jobs stay when it fails: all (false), all but itself (true), or so many. */
  readonly removeOnFail?: boolean | number | RetentionInput | undefined;
  /** How many lines its log keeps; 1000 unless given. */
  readonly keepLogs?: number | undefined;
  /** Longest duration of a call for it, in milliseconds, where its endpoint does not allow less. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added in which its first attempt must start, or else it fails. */
  readonly ttl?: number | undefined;
  /** Milliseconds since it was added after which no further attempt starts; the last reason stands then. */
  readonly retryFor?: number | undefined;
  /** How often it may be suspended; 1000 times unless given. */
  readonly maxCalls?: number | undefined;
  /** What its start counts in limiters; 1 unless given. */
  readonly cost?: number | undefined;
  /** The group in whose turns the job starts; all jobs without one are a group of their own. */
  readonly group?: JobGroupInput | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrlInput | CallbackToQueueInput | undefined;
  /** Where this job is called, in place of the endpoint of its worker. */
  readonly endpoint?: DestinationInput | undefined;
  /** Keeps the job from being added while another one stands for the same id. */
  readonly deduplication?: DeduplicationInput | undefined;
}

export interface JobOrigin {
  /** The queue of the original. */
  readonly queue: string;
  /** The id of the original in its queue. */
  readonly id: string;
  /** Why the original failed; null if it completed. */
  readonly failedReason: string | null;
  /** Where the original is now; null when it is gone, or in a queue that the token may not use. */
  readonly state: Open<
    'active' | 'waiting' | 'prioritized' | 'delayed' | 'completed' | 'failed' | 'waiting-children'
  > | null;
}

export interface JobRetention {
  /** Most jobs to keep. */
  readonly count?: number | undefined;
  /** How long to keep a job, in seconds. */
  readonly age?: number | undefined;
}

export interface JobSearch {
  /** The jobs that match. */
  readonly jobs: readonly Job[];
  /** How many jobs were examined. */
  readonly scanned: number;
  /** Where the next call goes on; null at the end. */
  readonly cursor: string | null;
}

export interface JobSteps {
  /** The saved steps by time. */
  readonly steps: readonly Step[];
}

export interface JobSummary {
  /** The id in its queue. */
  readonly id: string;
  /** The kind of job. */
  readonly name: string;
  /** Where it is. */
  readonly state: Open<
    'active' | 'waiting' | 'prioritized' | 'delayed' | 'completed' | 'failed' | 'waiting-children'
  >;
  /** When it was added, in milliseconds since 1970. */
  readonly timestamp: number;
  /** When its last attempt started, in milliseconds since 1970; null before the first. */
  readonly processedOn: number | null;
  /** When it completed or failed, in milliseconds since 1970; null before. */
  readonly finishedOn: number | null;
  /** When it is due, in milliseconds since 1970; null unless it is delayed. */
  readonly dueAt: number | null;
  /** Its priority; 0 without one. */
  readonly priority: number;
  /** How many attempts ended. */
  readonly attemptsMade: number;
  /** Most attempts, as its producer asked for; 0 when it did not. */
  readonly attempts: number;
  /** Its progress, 0 at first; null when that is no number. */
  readonly progress?: number | null | undefined;
  /** Why its last attempt failed, the first 200 characters; null when none did. */
  readonly failedReason: string | null;
  /** The status of the last answer; null without one, or if the job was cancelled or expired after it. */
  readonly lastStatus: number | null;
  /** The group of the job; null without one. */
  readonly group: string | null;
  /** The job that waits for it; null without one. */
  readonly parent: SummaryParent | null;
  /** The size of its data as it is stored, in bytes of JSON. */
  readonly dataSize: number;
  /** The signals and times that it still awaits; null for a job that is not suspended. In the answer for one job alone. */
  readonly suspended?: Suspended | null | undefined;
}

export interface JobsPage {
  /** How many jobs of each status the queue holds. */
  readonly counts: JobCounts;
  /** The jobs of this page. */
  readonly jobs: readonly Job[];
  /** How many jobs were skipped. */
  readonly start: number;
  /** Most jobs that were to be returned. */
  readonly length: number;
}

export interface LastScheduled {
  /** The slot that it was made for, in milliseconds since 1970. */
  readonly at: number;
  /** Its id. */
  readonly jobId: string;
  /** Where it is; null once it is gone. */
  readonly state: Open<
    'active' | 'waiting' | 'prioritized' | 'delayed' | 'completed' | 'failed' | 'waiting-children'
  > | null;
}

export interface Latency {
  /** Half of the calls took no longer. */
  readonly p50: number | null;
  /** 95 of 100 calls took no longer. */
  readonly p95: number | null;
  /** 99 of 100 calls took no longer. */
  readonly p99: number | null;
}

export interface LatestCall {
  /** The id of the job. */
  readonly job: string;
  /** Which attempt of the job it was, from 1. */
  readonly attempt: number;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** How many milliseconds it took. */
  readonly durationMs: number;
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** The outcome of the attempt; `accepted` where it goes on. */
  readonly outcome: string;
  /** Why it failed, or what was wrong with the answer that completed the job; else null. */
  readonly reason: string | null;
  /** Which replica made it, as `instance` in its log. */
  readonly replica: string;
}

export interface LetterRedriveInput {
  /** Which jobs; `all` in its place takes all that it may. */
  readonly filter?: JobFilterInput | undefined;
  /** Whether all jobs are meant that the repair takes by itself. */
  readonly all?: true | undefined;
  /** Where the letters go; back to the queues that they came from unless given. */
  readonly to?: string | undefined;
  /** The most letters that are brought back in a window of time. */
  readonly rate?: LimiterInput | undefined;
  /** Most jobs to repair, the oldest; 1000 unless given. */
  readonly limit?: number | undefined;
  /** Whether nothing is changed, and samples are answered. */
  readonly dryRun?: boolean | undefined;
}

export interface Limit {
  /** Its name. */
  readonly name: string;
  /** How many calls may run at once; null for any number. */
  readonly concurrency: number | null;
  /** How many calls start in a window; null for any number. */
  readonly limiter: Limiter | null;
  /** How many calls run now, of all queues and replicas. */
  readonly running: number;
  /** How many calls the limiter lets start now, 0 when its window is overdrawn; null without a limiter. */
  readonly startsLeft: number | null;
}

export interface LimitSettingsInput {
  /** How many calls of all its queues may run at once, over all replicas. */
  readonly concurrency?: number | undefined;
  /** How many calls of all its queues start in a window of time. */
  readonly limiter?: LimiterInput | undefined;
}

export interface Limiter {
  /** Most calls that start in a window of time. */
  readonly max: number;
  /** The length of the window, in milliseconds. */
  readonly duration: number;
}

export interface LimiterChangeInput {
  /** Most calls that start in a window of time. */
  readonly max?: number | null | undefined;
  /** The length of the window, in milliseconds. */
  readonly duration?: number | null | undefined;
}

export interface LimiterInput {
  /** Most calls that start in a window of time. */
  readonly max: number;
  /** The length of the window, in milliseconds. */
  readonly duration: number;
}

export interface Limits {
  /** How many there are. */
  readonly total: number;
  /** The limits, by name. */
  readonly limits: readonly Limit[];
}

export interface ListedHealth {
  /** The queue of the worker. */
  readonly queue: string;
  /** The URL of its endpoint; null without one of its own. */
  readonly url: string | null;
  /** Present where the worker has no URL of its own: each job names its destination. */
  readonly destinations?: true | undefined;
  /** The method of its calls. */
  readonly method: string;
  /** The reason why it is not called, if there is one. */
  readonly state: Open<'healthy' | 'held' | 'open' | 'probing' | 'disabled'>;
  /** When that began, in milliseconds since 1970; null while it is healthy. */
  readonly since: number | null;
  /** When that ends by itself, in milliseconds since 1970; null when that is unknown. */
  readonly until: number | null;
  /** The reason; null without one. */
  readonly reason: string | null;
  /** The name of the token or person who disabled or held it; absent unless one did. */
  readonly by?: string | undefined;
  /** How many recent calls there were. */
  readonly calls: number;
  /** How many of them failed. */
  readonly failures: number;
  /** The status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** How long the calls took, in milliseconds; null without a call. */
  readonly latencyMs: Latency;
  /** Most calls at a time. */
  readonly concurrency: number;
  /** How many attempts run, over all replicas. */
  readonly running: number;
  /** Whether its calls are signed. */
  readonly signed: boolean;
  /** When it was registered, in milliseconds since 1970; null when that is unknown. */
  readonly registeredAt: number | null;
}

export interface ListedQueue {
  /** The name of the queue. */
  readonly name: string;
  /** Whether no job starts until the queue is resumed. */
  readonly paused: boolean;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** The caller that holds it, with the time and the reason; absent unless one does. */
  readonly hold?: Stop | undefined;
  /** How many jobs of each state the queue holds. */
  readonly counts: StateCounts;
  /** For how many milliseconds the oldest waiting or prioritized job could have started; null when none waits. */
  readonly oldestWaiting: number | null;
  /** The URL of the endpoint; null without a worker, and without a URL of its own. */
  readonly worker: string | null;
  /** Present where the worker has no URL of its own: each job names its destination. */
  readonly destinations?: true | undefined;
}

export interface ListedScheduler {
  /** The queue of the scheduler. */
  readonly queue: string;
  /** The id of the scheduler in its queue. */
  readonly id: string;
  /** When it makes jobs. */
  readonly repeat: Repeat;
  /** The template of its jobs. */
  readonly job: ScheduledJob;
  /** Whether a slot that comes while the previous job has not ended still makes a job, or none. */
  readonly overlap: Open<'allow' | 'skip'>;
  /** Whether it makes no jobs until it is resumed. */
  readonly paused: boolean;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** The next five slots, or as many as there are, in milliseconds since 1970; none while it is paused. */
  readonly next: readonly number[];
  /** The job of a slot that started last; null before the first one. */
  readonly last: LastScheduled | null;
  /** The job that `run` made last, apart from the slots; null before the first one. */
  readonly lastRunByHand: RunByHand | null;
  /** The latest slot that made no job since the memory of the store was full; absent before the first one. */
  readonly skipped?: SkippedSlot | undefined;
}

export interface ListedTopic {
  /** Its name. */
  readonly topic: string;
  /** How many subscriptions it has. */
  readonly subscriptions: number;
}

export interface ListedWorker {
  /** The URL of the endpoint; null without one of its own. */
  readonly url: string | null;
  /** Present where the worker has no URL of its own: each job names its destination. */
  readonly destinations?: true | undefined;
  /** Why it is not called, if there is a reason. */
  readonly state: Open<'healthy' | 'held' | 'open' | 'probing' | 'disabled'>;
}

export interface MessagePolicy {
  /** Milliseconds that a received message is in flight; 30000 unless given. */
  readonly visibility?: number | undefined;
  /** Milliseconds before a sent message may be received. */
  readonly delay?: number | undefined;
  /** Milliseconds after which a message is removed, received or not. */
  readonly retention?: number | undefined;
  /** Most bytes of a message with its attributes. */
  readonly maxSize?: number | undefined;
  /** Milliseconds that a receive waits for its first message. */
  readonly wait?: number | undefined;
  /** The dead letter queue; messages are never given up without. */
  readonly redrive?: Redrive | undefined;
  /** Whether the messages of a group are in order and sent once. */
  readonly fifo?: boolean | undefined;
  /** Whether messages without a deduplication id are deduplicated by their content. */
  readonly deduplicatesContent?: boolean | undefined;
  /** Attributes without an effect, which are read back. */
  readonly kept?: Readonly<Record<string, string>> | undefined;
  /** When the queue was created for messages, epoch ms. */
  readonly createdAt?: number | undefined;
  /** When its attributes were changed last, epoch ms. */
  readonly changedAt?: number | undefined;
}

export interface MessagePolicyInput {
  /** Milliseconds that a received message is in flight; 30000 unless given. */
  readonly visibility?: number | undefined;
  /** Milliseconds before a sent message may be received. */
  readonly delay?: number | undefined;
  /** Milliseconds after which a message is removed, received or not. */
  readonly retention?: number | undefined;
  /** Most bytes of a message with its attributes. */
  readonly maxSize?: number | undefined;
  /** Milliseconds that a receive waits for its first message. */
  readonly wait?: number | undefined;
  /** The dead letter queue; messages are never given up without. */
  readonly redrive?: RedriveInput | undefined;
  /** Whether the messages of a group are in order and sent once. */
  readonly fifo?: boolean | undefined;
  /** Whether messages without a deduplication id are deduplicated by their content. */
  readonly deduplicatesContent?: boolean | undefined;
  /** Attributes without an effect, which are read back. */
  readonly kept?: Readonly<Record<string, string>> | undefined;
  /** When the queue was created for messages, epoch ms. */
  readonly createdAt?: number | undefined;
  /** When its attributes were changed last, epoch ms. */
  readonly changedAt?: number | undefined;
}

export interface PayloadPolicy {
  /** Milliseconds after a job has ended; its data, results, logs and answers are gone then. */
  readonly keep: number;
}

export interface PayloadPolicyInput {
  /** Milliseconds after a job has ended; its data, results, logs and answers are gone then. */
  readonly keep: number;
}

export interface Policy {
  /** Options of jobs that are added without them. */
  readonly defaults?: PolicyDefaults | undefined;
  /** Most waiting and prioritized jobs that an add may lead to. */
  readonly maxWaiting?: number | undefined;
  /** Most bytes of the data of a job, as JSON text in UTF-8. */
  readonly maxJobSize?: number | undefined;
  /** The callback of jobs that are added without one. */
  readonly callback?: CallbackToUrl | CallbackToQueue | undefined;
  /** Where callbacks of jobs may go, and what signs them. */
  readonly callbacks?: CallbackPolicy | undefined;
  /** Where jobs may be called that name their own `endpoint`; a worker may then have none. */
  readonly endpoints?: EndpointPolicy | undefined;
  /** The terms of every group of jobs, in place of those of the worker. */
  readonly groups?: GroupDefaults | undefined;
  /** The limits that the queue shares with others. */
  readonly limits?: readonly string[] | undefined;
  /** When jobs may start; at any time unless given. */
  readonly window?: Window | undefined;
  /** Which ended jobs may stay at most; as jobs and workers say unless given. */
  readonly retention?: RetentionPolicy | undefined;
  /** How long the values of ended jobs stay; as long as the jobs unless given. */
  readonly payloads?: PayloadPolicy | undefined;
  /** How often a job that a client claimed may stall before it fails, in a queue without a worker. */
  readonly maxStalledCount?: number | undefined;
  /** Names and values that users of the queue give it. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Where steps of its jobs may add jobs. */
  readonly steps?: StepPolicy | undefined;
  /** The attributes of the queue for programs that speak Amazon SQS. */
  readonly messages?: MessagePolicy | undefined;
}

export interface PolicyDefaults {
  /** How often the job is tried in all; 0 means once, as 1 does. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt; a number is that many milliseconds each time. */
  readonly backoff?: number | Backoff | undefined;
  /** Longest duration of a call for it, in milliseconds, where its endpoint does not allow less. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added in which its first attempt must start, or else it fails. */
  readonly ttl?: number | undefined;
  /** How often it may be suspended; 1000 times unless given. */
  readonly maxCalls?: number | undefined;
  /** What its start counts in limiters; 1 unless given. */
  readonly cost?: number | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrl | CallbackToQueue | undefined;
  /** Which completed jobs stay when it completes: all (false), all but itself (true), or so many. */
  readonly removeOnComplete?: boolean | number | Retention | undefined;
  /** Which failed jobs stay when it fails: all (false), all but itself (true), or so many. */
  readonly removeOnFail?: boolean | number | Retention | undefined;
  /** How many lines its log keeps; 1000 unless given. */
  readonly keepLogs?: number | undefined;
}

export interface PolicyDefaultsInput {
  /** How often the job is tried in all; 0 means once, as 1 does. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt; a number is that many milliseconds each time. */
  readonly backoff?: number | BackoffInput | undefined;
  /** Longest duration of a call for it, in milliseconds, where its endpoint does not allow less. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added in which its first attempt must start, or else it fails. */
  readonly ttl?: number | undefined;
  /** How often it may be suspended; 1000 times unless given. */
  readonly maxCalls?: number | undefined;
  /** What its start counts in limiters; 1 unless given. */
  readonly cost?: number | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrlInput | CallbackToQueueInput | undefined;
  /** Which completed jobs stay when it completes: all (false), all but itself (true), or so many. */
  readonly removeOnComplete?: boolean | number | RetentionInput | undefined;
  /** Which failed jobs stay when it fails: all (false), all but itself (true), or so many. */
  readonly removeOnFail?: boolean | number | RetentionInput | undefined;
  /** How many lines its log keeps; 1000 unless given. */
  readonly keepLogs?: number | undefined;
}

export interface PolicyInput {
  /** Options of jobs that are added without them. */
  readonly defaults?: PolicyDefaultsInput | undefined;
  /** Most waiting and prioritized jobs that an add may lead to. */
  readonly maxWaiting?: number | undefined;
  /** Most bytes of the data of a job, as JSON text in UTF-8. */
  readonly maxJobSize?: number | undefined;
  /** The callback of jobs that are added without one. */
  readonly callback?: CallbackToUrlInput | CallbackToQueueInput | undefined;
  /** Where callbacks of jobs may go, and what signs them. */
  readonly callbacks?: CallbackPolicyInput | undefined;
  /** Where jobs may be called that name their own `endpoint`; a worker may then have none. */
  readonly endpoints?: EndpointPolicyInput | undefined;
  /** The terms of every group of jobs, in place of those of the worker. */
  readonly groups?: GroupDefaultsInput | undefined;
  /** The limits that the queue shares with others. */
  readonly limits?: readonly string[] | undefined;
  /** When jobs may start; at any time unless given. */
  readonly window?: WindowInput | undefined;
  /** Which ended jobs may stay at most; as jobs and workers say unless given. */
  readonly retention?: RetentionPolicyInput | undefined;
  /** How long the values of ended jobs stay; as long as the jobs unless given. */
  readonly payloads?: PayloadPolicyInput | undefined;
  /** How often a job that a client claimed may stall before it fails, in a queue without a worker. */
  readonly maxStalledCount?: number | undefined;
  /** Names and values that users of the queue give it. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Where steps of its jobs may add jobs. */
  readonly steps?: StepPolicyInput | undefined;
  /** The attributes of the queue for programs that speak Amazon SQS. */
  readonly messages?: MessagePolicyInput | undefined;
}

export interface Published {
  /** The job of each subscription that the message matches. */
  readonly matched: Readonly<Record<string, PublishedJob>>;
  /** The subscriptions that it matches and that are paused, or skip messages while their queue is full. */
  readonly skipped: readonly string[];
}

export interface PublishedJob {
  /** Its queue. */
  readonly queue: string;
  /** Its id; absent in a dry run. */
  readonly id?: string | undefined;
}

export interface Queue {
  /** The name of the queue. */
  readonly name: string;
  /** Whether no job starts until the queue is resumed. */
  readonly paused: boolean;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** The caller that holds it, with the time and the reason; absent unless one does. */
  readonly hold?: Stop | undefined;
  /** How many jobs of each state the queue holds. */
  readonly counts: StateCounts;
  /** For how many milliseconds the oldest waiting or prioritized job could have started; null when none waits. */
  readonly oldestWaiting: number | null;
  /** The URL of the endpoint; null without a worker, and without a URL of its own. */
  readonly worker: string | null;
  /** Present where the worker has no URL of its own: each job names its destination. */
  readonly destinations?: true | undefined;
  /** Most calls at a time; null without a worker. */
  readonly concurrency: number | null;
  /** The bound on the rate of the calls; null without one. */
  readonly limiter: Limiter | null;
  /** How many of its jobs are suspended. */
  readonly suspended: number;
  /** Until when no job starts, in milliseconds since 1970; null unless the queue is held. */
  readonly heldUntil: number | null;
  /** Whether an answer of the endpoint or a caller of the API holds the queue; null unless it is held. */
  readonly heldBy: Open<'endpoint' | 'caller'> | null;
  /** Whether jobs may start now by the window of the queue; null without a window. */
  readonly window: WindowState | null;
  /** The policy of the queue itself; null without. */
  readonly policy: Policy | null;
  /** The queues that send their dead letters to it, so that it needs no worker; null for any other queue. */
  readonly deadLetters: DeadLetters | null;
  /** How many of its jobs wait for a child that failed for good, as far as one look goes. */
  readonly stuckParents: number;
  /** Why nothing starts although jobs wait; null when jobs start, or none waits. */
  readonly blocked: Blocked | null;
}

export interface QueueAtLimit {
  /** The name of the queue. */
  readonly queue: string;
  /** How many of its calls run. */
  readonly running: number;
  /** Whether it has jobs that wait for room. */
  readonly waits: boolean;
}

export interface QueueDeduplication {
  /** The deduplication id. */
  readonly id: string;
  /** The id of the job that stands for it. */
  readonly jobId: string;
  /** For how many more milliseconds; null for as long as the job has not ended. */
  readonly ttl: number | null;
}

export interface QueueFailure {
  /** The queue of the jobs. */
  readonly queue: string;
  /** The reason, with numbers, ids, addresses and quoted parts masked. */
  readonly cause: string;
  /** The reason of the latest of these jobs. */
  readonly reason: string;
  /** The status of the last answer; null when the reason does not contain it. */
  readonly status: number | null;
  /** How many of the jobs failed for this cause. */
  readonly count: number;
  /** When the first of them failed, in milliseconds since 1970. */
  readonly first: number;
  /** When the last of them failed, in milliseconds since 1970. */
  readonly last: number;
  /** The ids of some of them, the latest first. */
  readonly samples: readonly string[];
}

export interface QueueRemoval {
  /** All that was removed with the queue. */
  readonly removed: RemovedQueue;
}

export interface QueuesAtLimit {
  /** The queues, by name. */
  readonly queues: readonly QueueAtLimit[];
}

export interface QueuesPage {
  /** The number of queues on all pages together. */
  readonly total: number;
  /** The queues of this page. */
  readonly queues: readonly ListedQueue[];
}

export interface Rates {
  /** Jobs that were added. */
  readonly added: number;
  /** Jobs that completed. */
  readonly completed: number;
  /** Jobs that failed for good. */
  readonly failed: number;
}

export interface Redrive {
  /** How often a message may be received before it goes to the dead letter queue. */
  readonly maxReceives: number;
  /** The dead letter queue. */
  readonly queue: string;
}

export interface RedriveInput {
  /** How often a message may be received before it goes to the dead letter queue. */
  readonly maxReceives: number;
  /** The dead letter queue. */
  readonly queue: string;
}

export interface RemovedQueue {
  /** How many jobs were removed. */
  readonly jobs: number;
  /** How many job schedulers were removed. */
  readonly schedulers: number;
  /** Whether a worker was removed. */
  readonly worker: boolean;
}

export interface RepairResult {
  /** How many jobs matched, whatever the limit. */
  readonly matched: number;
  /** How many of them it repaired. */
  readonly done: number;
  /** How many jobs still match. */
  readonly remaining: number;
  /** How many jobs it passed over: redacted ones, and letters that the token may not bring back; absent for none. */
  readonly skipped?: number | undefined;
  /** Of a dry run: the ids of those that would be first. */
  readonly samples?: readonly string[] | undefined;
}

export interface Repeat {
  /** When, as a cron pattern; either this or `every`. */
  readonly pattern?: string | undefined;
  /** Milliseconds from one job to the next; either this or `pattern`. */
  readonly every?: number | undefined;
  /** The time zone of the pattern, such as Europe/Berlin; UTC unless given. */
  readonly tz?: string | undefined;
  /** How many jobs it makes. */
  readonly limit?: number | undefined;
  /** It makes no job before, in milliseconds since 1970. */
  readonly startDate?: number | undefined;
  /** It makes no job after, in milliseconds since 1970. */
  readonly endDate?: number | undefined;
  /** Whether the first job of a pattern is made at once. */
  readonly immediately?: boolean | undefined;
}

export interface RepeatInput {
  /** When, as a cron pattern; either this or `every`. */
  readonly pattern?: string | undefined;
  /** Milliseconds from one job to the next; either this or `pattern`. */
  readonly every?: number | undefined;
  /** The time zone of the pattern, such as Europe/Berlin; UTC unless given. */
  readonly tz?: string | undefined;
  /** How many jobs it makes. */
  readonly limit?: number | undefined;
  /** It makes no job before, in milliseconds since 1970. */
  readonly startDate?: number | undefined;
  /** It makes no job after, in milliseconds since 1970. */
  readonly endDate?: number | undefined;
  /** Whether the first job of a pattern is made at once. */
  readonly immediately?: boolean | undefined;
}

export interface Replica {
  /** Its name, as `instance` in its log. */
  readonly instance: string;
  /** Its version. */
  readonly version: string;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When it reported itself last, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Whether it does its work. */
  readonly ready: boolean;
  /** How many calls run on it. */
  readonly running: number;
  /** How late its event loop was, in milliseconds. */
  readonly lagMs: number;
  /** By how many milliseconds its clock is ahead of that of the store. */
  readonly clockSkewMs: number;
  /** The memory in which it keeps the jobs; absent where the store keeps them. */
  readonly memory?: ReplicaMemory | undefined;
}

export interface ReplicaMemory {
  /** How many bytes were in use after the last full collection. */
  readonly used: number;
  /** How many bytes it may have. */
  readonly limit: number;
  /** Whether new jobs are refused, on all replicas. */
  readonly isFull: boolean;
}

export interface Retention {
  /** Most jobs to keep. */
  readonly count?: number | undefined;
  /** How long to keep a job, in seconds. */
  readonly age?: number | undefined;
}

export interface RetentionChangeInput {
  /** Most jobs to keep. */
  readonly count?: number | null | undefined;
  /** How long to keep a job, in seconds. */
  readonly age?: number | null | undefined;
}

export interface RetentionInput {
  /** Most jobs to keep. */
  readonly count?: number | undefined;
  /** How long to keep a job, in seconds. */
  readonly age?: number | undefined;
}

export interface RetentionPolicy {
  /** Which completed jobs may stay; all unless given. */
  readonly completed?: Retention | undefined;
  /** Which failed jobs may stay; all unless given. */
  readonly failed?: Retention | undefined;
}

export interface RetentionPolicyInput {
  /** Which completed jobs may stay; all unless given. */
  readonly completed?: RetentionInput | undefined;
  /** Which failed jobs may stay; all unless given. */
  readonly failed?: RetentionInput | undefined;
}

export interface RetryInput {
  /** Options in place of those that the job has; the others stay. */
  readonly opts?: RetryOptionsInput | undefined;
  /** Anything, in place of the data that the job has. */
  readonly data?: unknown;
  /** Whether its saved steps stay; `keep` unless given. */
  readonly steps?: Open<'keep' | 'forget'> | undefined;
}

export interface RetryOptionsInput {
  /** How often the job is tried in all; 0 means once, as 1 does. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt; a number is that many milliseconds each time. */
  readonly backoff?: number | BackoffInput | undefined;
  /** The lowest number goes first, after all jobs without a priority; 0 means none. */
  readonly priority?: number | undefined;
}

export interface Rewrap {
  /** How many secrets were to be written anew and could be read. */
  readonly matched: number;
  /** How many are now. */
  readonly done: number;
  /** How many secrets each key keeps after it; `none` for those kept as they are. */
  readonly secrets: Readonly<Record<string, number>>;
}

export interface RunByHand {
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** Its id. */
  readonly jobId: string;
  /** Where it is; null once it is gone. */
  readonly state: Open<
    'active' | 'waiting' | 'prioritized' | 'delayed' | 'completed' | 'failed' | 'waiting-children'
  > | null;
}

export interface SavedHook {
  /** Its id. */
  readonly id: string;
  /** Where messages are sent: http or https, without user name or password. */
  readonly url: string;
  /** The headers of every call; their values are `[redacted]`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether calls are signed after Standard Webhooks. */
  readonly signing: boolean;
  /** The events that it reports: their names, or `job.*`, `queue.*`, `worker.*` for all whose needs are given. */
  readonly events: readonly Open<
    | 'job.completed'
    | 'job.failed'
    | 'job.expired'
    | 'job.cancelled'
    | 'queue.late'
    | 'queue.full'
    | 'queue.failing'
    | 'queue.unserved'
    | 'worker.open'
    | 'worker.disabled'
    | 'scheduler.missed'
    | 'hook.failing'
    | 'job.*'
    | 'queue.*'
    | 'worker.*'
  >[];
  /** Of which queues; of several patterns the last that matches counts. All unless given. */
  readonly queues?: readonly string[] | undefined;
  /** From when on something is wrong. */
  readonly when?: HookConditions | undefined;
  /** How long (ms) a condition must hold before it is reported. */
  readonly for: number;
  /** After how long (ms) a condition that lasts is reported again; null for never. */
  readonly repeat: number | null;
  /** `cause` reports the first failure of each cause in 24 hours; only for `job.failed`. */
  readonly distinct?: Open<'cause'> | undefined;
  /** The shape of its messages. */
  readonly format: Open<'standard' | 'cloudevents' | 'slack' | 'alertmanager'>;
  /** Whether it makes no messages, and sends none. */
  readonly paused: boolean;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** Why the service paused it; absent when a client did. */
  readonly pausedReason?: string | undefined;
  /** When it was made, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Why its secrets cannot be read, so that nothing can be sent. */
  readonly unreadable?: string | undefined;
  /** The secret that signs its calls, which is shown only this once. */
  readonly secret?: string | undefined;
}

export interface ScheduledJob {
  /** The kind of job. */
  readonly name: string;
  /** The data for the endpoint. */
  readonly data: unknown;
  /** How each job is processed. */
  readonly opts: ScheduledJobOptions;
}

export interface ScheduledJobOptions {
  /** How often the job is tried in all; 0 means once. */
  readonly attempts: number;
  /** The wait before another attempt. */
  readonly backoff?: Backoff | undefined;
  /** The lowest number goes first, after all jobs without a priority. */
  readonly priority?: number | undefined;
  /** Whether the job went before those that waited already. */
  readonly lifo?: boolean | undefined;
  /** The id that its producer gave it. */
  readonly jobId?: string | undefined;
  /** Which completed jobs stay when it completes. */
  readonly removeOnComplete?: boolean | number | JobRetention | undefined;
  /** Which failed jobs stay when it fails. */
  readonly removeOnFail?: boolean | number | JobRetention | undefined;
  /** How many lines its log keeps. */
  readonly keepLogs?: number | undefined;
  /** Longest duration of a call for it, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added in which its first attempt had to start. */
  readonly ttl?: number | undefined;
  /** Milliseconds since it was added after which no further attempt starts. */
  readonly retryFor?: number | undefined;
  /** How often it may be suspended. */
  readonly maxCalls?: number | undefined;
  /** The amount that its start counts in limiters. */
  readonly cost?: number | undefined;
  /** The group in whose turns the job starts. */
  readonly group?: JobGroup | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrl | CallbackToQueue | undefined;
  /** Where this job is called, in place of the endpoint of its worker; values of headers are not shown. */
  readonly endpoint?: Destination | undefined;
  /** Kept it from being added while another one stood for the same id. */
  readonly deduplication?: Deduplication | undefined;
  /** Whether a job that waits for it fails when it does. */
  readonly failParentOnFailure?: boolean | undefined;
  /** Whether a job that waits for it starts at once when it fails. */
  readonly continueParentOnFailure?: boolean | undefined;
  /** Whether a job that waits for it continues when it fails as if it had completed. */
  readonly ignoreDependencyOnFailure?: boolean | undefined;
}

export interface Scheduler {
  /** The id of the scheduler in its queue. */
  readonly id: string;
  /** When it makes jobs. */
  readonly repeat: Repeat;
  /** The template of its jobs. */
  readonly job: ScheduledJob;
  /** Whether a slot that comes while the previous job has not ended still makes a job, or none. */
  readonly overlap: Open<'allow' | 'skip'>;
  /** Whether it makes no jobs until it is resumed. */
  readonly paused: boolean;
  /** The caller that paused it, with the time and the reason; absent unless one did. */
  readonly pause?: Stop | undefined;
  /** The next five slots, or as many as there are, in milliseconds since 1970; none while it is paused. */
  readonly next: readonly number[];
  /** The job of a slot that started last; null before the first one. */
  readonly last: LastScheduled | null;
  /** The job that `run` made last, apart from the slots; null before the first one. */
  readonly lastRunByHand: RunByHand | null;
  /** The latest slot that made no job since the memory of the store was full; absent before the first one. */
  readonly skipped?: SkippedSlot | undefined;
}

export interface SchedulerInput {
  /** When it makes jobs. */
  readonly repeat: RepeatInput;
  /** The job that each run adds. */
  readonly job: SchedulerJobInput;
  /** Whether a slot that comes while the job before it has not ended makes a job all the same, or none. */
  readonly overlap?: Open<'allow' | 'skip'> | undefined;
  /** Whether it makes no jobs until it is resumed. */
  readonly paused?: boolean | undefined;
}

export interface SchedulerJobInput {
  /** The kind of job, for the endpoint. */
  readonly name: string;
  /** Anything, for the endpoint; null too. */
  readonly data: unknown;
  /** How each job is processed. */
  readonly opts?: SchedulerJobOptionsInput | undefined;
}

export interface SchedulerJobOptionsInput {
  /** How often the job is tried in all; 0 means once, as 1 does. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt; a number is that many milliseconds each time. */
  readonly backoff?: number | BackoffInput | undefined;
  /** The lowest number goes first, after all jobs without a priority; 0 means none. */
  readonly priority?: number | undefined;
  /** Whether the job goes before those that wait already. */
  readonly lifo?: boolean | undefined;
  /** Which completed jobs stay when it completes: all (false), all but itself (true), or so many. */
  readonly removeOnComplete?: boolean | number | RetentionInput | undefined;
  /** Which failed jobs stay when it fails: all (false), all but itself (true), or so many. */
  readonly removeOnFail?: boolean | number | RetentionInput | undefined;
  /** How many lines its log keeps; 1000 unless given. */
  readonly keepLogs?: number | undefined;
  /** Longest duration of a call for it, in milliseconds, where its endpoint does not allow less. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added after which no further attempt starts; the last reason stands then. */
  readonly retryFor?: number | undefined;
  /** How often it may be suspended; 1000 times unless given. */
  readonly maxCalls?: number | undefined;
  /** What its start counts in limiters; 1 unless given. */
  readonly cost?: number | undefined;
  /** The group in whose turns the job starts; all jobs without one are a group of their own. */
  readonly group?: JobGroupInput | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrlInput | CallbackToQueueInput | undefined;
  /** Where this job is called, in place of the endpoint of its worker. */
  readonly endpoint?: DestinationInput | undefined;
}

export interface Secret {
  /** The secret that verifies the signatures of calls; it is shown only this once. */
  readonly secret: string;
}

export interface Session {
  /** The id that names it in paths and in the audit. */
  readonly id: string;
  /** When it was opened (epoch ms). */
  readonly createdAt: number;
  /** When it was used last (epoch ms), at most a minute old. */
  readonly lastSeenAt: number;
  /** From where it was used last. */
  readonly address: string;
  /** Whether it is that of the request. */
  readonly current: boolean;
}

export interface SessionsPage {
  /** The number of sessions on all pages together. */
  readonly total: number;
  /** The sessions. */
  readonly sessions: readonly Session[];
}

export interface Signal {
  /** Its key. */
  readonly key: string;
  /** How many jobs wait for it. */
  readonly waiting: number;
  /** Until when it is kept for waits that begin later, in milliseconds since 1970; null when it is not. */
  readonly keptUntil: number | null;
}

export interface SignalSent {
  /** How many jobs waited for it. */
  readonly woken: number;
}

export interface SignalWaitInput {
  /** The key of the signal. */
  readonly signal: string;
  /** Milliseconds after which the wait is over without it. */
  readonly timeout?: number | undefined;
}

export interface Signals {
  /** How many there are. */
  readonly total: number;
  /** Those of this page. */
  readonly signals: readonly Signal[];
}

export interface SkippedSlot {
  /** The slot, in milliseconds since 1970. */
  readonly at: number;
  /** Why it made no job. */
  readonly reason: Open<'memory'>;
}

export interface StateCounts {
  /** How many jobs are active. */
  readonly active: number;
  /** How many jobs are waiting. */
  readonly waiting: number;
  /** How many jobs are prioritized. */
  readonly prioritized: number;
  /** How many jobs are delayed. */
  readonly delayed: number;
  /** How many jobs are completed. */
  readonly completed: number;
  /** How many jobs are failed. */
  readonly failed: number;
  /** How many jobs wait for others. */
  readonly 'waiting-children': number;
}

export interface StatusSeries {
  /** With the status 429. */
  readonly '429': readonly (number | null)[];
  /** With a status from 100 to 199. */
  readonly '1xx': readonly (number | null)[];
  /** With a status from 200 to 299. */
  readonly '2xx': readonly (number | null)[];
  /** With a status from 300 to 399. */
  readonly '3xx': readonly (number | null)[];
  /** With a status from 400 to 499, but not 429. */
  readonly '4xx': readonly (number | null)[];
  /** With a status from 500 to 599. */
  readonly '5xx': readonly (number | null)[];
  /** Not at all. */
  readonly none: readonly (number | null)[];
}

export interface Step {
  /** The name that the endpoint gave it. */
  readonly name: string;
  /** Where its value comes from: the endpoint, the end of a sleep, a signal, or added jobs. */
  readonly kind: Open<'value' | 'sleep' | 'signal' | 'jobs'>;
  /** When it was saved, in milliseconds since 1970. */
  readonly at: number;
  /** The bytes of its value as JSON. */
  readonly size: number;
  /** Its value. */
  readonly value: unknown;
}

export interface StepPolicy {
  /** Patterns of other queues to which steps of its jobs may add jobs; none unless given. */
  readonly queues?: readonly string[] | undefined;
}

export interface StepPolicyInput {
  /** Patterns of other queues to which steps of its jobs may add jobs; none unless given. */
  readonly queues?: readonly string[] | undefined;
}

export interface Stop {
  /** The name of the token or the person. */
  readonly by: string;
  /** The time, in milliseconds since 1970. */
  readonly at: number;
  /** The reason; null where none was given. */
  readonly reason: string | null;
}

export interface StoreFacts {
  /** The kind of store. */
  readonly kind: Open<'redis' | 'postgres' | 'embedded' | 'memory'>;
  /** The folder that keeps it; null when it is in none. */
  readonly path: string | null;
  /** Its version; null when it has none. */
  readonly version: string | null;
  /** How much memory it uses, in bytes; null when it does not say. */
  readonly usedMemory: number | null;
  /** How much it may use, in bytes; null without a limit. */
  readonly maxMemory: number | null;
  /** Its policy without free memory; null when it does not say. */
  readonly evictionPolicy: string | null;
  /** How many milliseconds a call to it takes. */
  readonly latencyMs: number | null;
  /** Of PostgreSQL: its database; null for other stores. */
  readonly database: DatabaseFacts | null;
}

export interface StoredFlowJob {
  /** The queue of the job. */
  readonly queue: string;
  /** The id in its queue. */
  readonly id: string;
  /** The kind of job; null when it is gone. */
  readonly name?: string | null | undefined;
  /** The data for the endpoint, as its producer sent it; absent when it is longer than 1 kB: the job itself has it. */
  readonly data: unknown;
  /** How it is processed; absent when it is longer than 1 kB: the job itself has it. */
  readonly opts?: JobOptions | undefined;
  /** The effect of its failure on the job above it, which by default keeps waiting. */
  readonly onChildFailure?: Open<'wait' | 'fail' | 'continue' | 'ignore'> | undefined;
  /** Where it is, or how it ended for its parent; null when it is gone and did not end before. */
  readonly state?:
    | Open<
        | 'active'
        | 'waiting'
        | 'prioritized'
        | 'delayed'
        | 'completed'
        | 'failed'
        | 'waiting-children'
      >
    | null
    | undefined;
  /** The answer of the endpoint, null until it completes; absent when it is longer than 1 kB: the job itself has it. */
  readonly returnvalue: unknown;
  /** Why its last attempt failed; absent when it is longer than 1 kB: the job itself has it. */
  readonly failedReason?: string | undefined;
  /** When it was added, in milliseconds since 1970. */
  readonly timestamp?: number | undefined;
  /** When its last attempt started, in milliseconds since 1970. */
  readonly processedOn?: number | undefined;
  /** When it completed or failed, in milliseconds since 1970. */
  readonly finishedOn?: number | undefined;
  /** The jobs that it waits for, or waited for. */
  readonly children: readonly StoredFlowJob[];
}

export interface Subscription {
  /** Its id. */
  readonly id: string;
  /** The queue that gets a job for each message. */
  readonly queue: string;
  /** Which messages it gets: all unless given. */
  readonly filter?: TopicFilter | undefined;
  /** Options of its jobs, which win over those of the message. */
  readonly opts?: SubscriptionOptions | undefined;
  /** Where its jobs are called, as `opts.endpoint` has it. */
  readonly endpoint?: Destination | undefined;
  /** The effect of a full queue on a message. */
  readonly onFull: Open<'refuse' | 'skip'>;
  /** Whether messages skip it. */
  readonly paused: boolean;
}

export interface SubscriptionInput {
  /** The queue that gets a job for each message. */
  readonly queue: string;
  /** Which messages it gets: all unless given. */
  readonly filter?: TopicFilterInput | undefined;
  /** Options of its jobs, which win over those of the message. */
  readonly opts?: JobOptionsInput | undefined;
  /** Where its jobs are called, as `opts.endpoint` has it. */
  readonly endpoint?: DestinationInput | undefined;
  /** The effect of a full queue on a message: the whole call is refused (unless given), or this subscription is skipped. */
  readonly onFull?: Open<'refuse' | 'skip'> | undefined;
  /** Whether messages skip it. */
  readonly paused?: boolean | undefined;
}

export interface SubscriptionOptions {
  /** How often the job is tried in all; 0 means once. */
  readonly attempts?: number | undefined;
  /** The wait before another attempt. */
  readonly backoff?: number | Backoff | undefined;
  /** Milliseconds before the job may start. */
  readonly delay?: number | undefined;
  /** The lowest number goes first, after all jobs without a priority. */
  readonly priority?: number | undefined;
  /** Whether the job went before those that waited already. */
  readonly lifo?: boolean | undefined;
  /** The id that its producer gave it. */
  readonly jobId?: string | undefined;
  /** Which completed jobs stay when it completes. */
  readonly removeOnComplete?: boolean | number | JobRetention | undefined;
  /** Which failed jobs stay when it fails. */
  readonly removeOnFail?: boolean | number | JobRetention | undefined;
  /** How many lines its log keeps. */
  readonly keepLogs?: number | undefined;
  /** Longest duration of a call for it, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Milliseconds since it was added in which its first attempt had to start. */
  readonly ttl?: number | undefined;
  /** Milliseconds since it was added after which no further attempt starts. */
  readonly retryFor?: number | undefined;
  /** How often it may be suspended. */
  readonly maxCalls?: number | undefined;
  /** The amount that its start counts in limiters. */
  readonly cost?: number | undefined;
  /** The group in whose turns the job starts. */
  readonly group?: JobGroup | undefined;
  /** A call or a job that follows when the job ends for good. */
  readonly callback?: CallbackToUrl | CallbackToQueue | undefined;
  /** Where this job is called, in place of the endpoint of its worker; values of headers are not shown. */
  readonly endpoint?: Destination | undefined;
  /** Kept it from being added while another one stood for the same id. */
  readonly deduplication?: Deduplication | undefined;
}

export interface SummariesPage {
  /** How many jobs of each status the queue holds. */
  readonly counts: JobCounts;
  /** The jobs of this page. */
  readonly jobs: readonly JobSummary[];
  /** How many jobs were skipped. */
  readonly start: number;
  /** Most jobs that were to be returned. */
  readonly length: number;
}

export interface SummaryParent {
  /** The queue of the job that waits for it. */
  readonly queue: string;
  /** The id of that job. */
  readonly id: string;
}

export interface SummarySearch {
  /** The jobs of this page. */
  readonly jobs: readonly JobSummary[];
  /** How many jobs were examined. */
  readonly scanned: number;
  /** Where the next call goes on; null at the end. */
  readonly cursor: string | null;
}

export interface SuspendInput {
  /** Values to save, by the names of their steps. */
  readonly steps?: Readonly<Record<string, unknown>> | undefined;
  /** Milliseconds to rest, by the names of steps. */
  readonly sleep?: Readonly<Record<string, number>> | undefined;
  /** Signals to wait for, by the names of steps. */
  readonly waitFor?: Readonly<Record<string, SignalWaitInput>> | undefined;
  /** The amount that the start of the attempt counts in limiters. */
  readonly cost?: number | undefined;
  /** Jobs to add and wait for, by the names of steps. */
  readonly add?: Readonly<Record<string, readonly AddedByStepInput[]>> | undefined;
}

export interface Suspended {
  /** The names of the steps that the job awaits. */
  readonly steps: readonly string[];
  /** When it goes on at the latest, in milliseconds since 1970; null when that is not known. */
  readonly until: number | null;
  /** The keys of the signals that it awaits. */
  readonly signals: readonly string[];
  /** The added jobs that have not ended. */
  readonly children: readonly AwaitedJob[];
}

export interface System {
  /** The version of the replica that answers. */
  readonly version: string;
  /** When that replica started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The store. */
  readonly store: StoreFacts;
  /** The replicas that reported themselves within 15 s. */
  readonly replicas: readonly Replica[];
  /** How many header values and secrets of workers and hooks each key keeps; `none` for those kept as they are. */
  readonly secrets: Readonly<Record<string, number>>;
  /** The settings that an operator should change. */
  readonly warnings: readonly SystemWarning[];
}

export interface SystemWarning {
  /** The kind of warning, for programs. */
  readonly code: Open<
    | 'eviction'
    | 'memory'
    | 'versions'
    | 'clocks'
    | 'persistence'
    | 'disk'
    | 'native-version'
    | 'secrets'
    | 'hooks'
    | 'callbacks'
    | 'snapshot'
    | 'connections'
    | 'polling'
    | 'folding'
    | 'behind'
  >;
  /** The problem, for people. */
  readonly text: string;
  /** The page of the documentation that says more. */
  readonly docs: string;
}

export interface TestRequest {
  /** The method of the call. */
  readonly method: string;
  /** Where it went. */
  readonly url: string;
  /** Its headers; values that may be secrets are `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its body as text; null without one. */
  readonly body: string | null;
}

export interface Token {
  /** The id that names it in paths and in records. */
  readonly id: string;
  /** Its purpose. */
  readonly name: string;
  /** The beginning of its secret, to recognize it by. */
  readonly hint: string | null;
  /** Its rights. */
  readonly rights: readonly Open<
    | 'read'
    | 'data'
    | 'add'
    | 'process'
    | 'operate'
    | 'configure'
    | 'metrics'
    | 'tokens'
    | 'audit'
    | 'admin'
  >[];
  /** Patterns of its queues; null for all. */
  readonly queues: readonly string[] | null;
  /** When it ends (epoch ms); null for never. */
  readonly expires: number | null;
  /** How much it may do in a time; null for what all may. */
  readonly limits: TokenLimits | null;
  /** From which networks it works; null for all. */
  readonly addresses: readonly string[] | null;
  /** When it was made (epoch ms). */
  readonly createdAt: number | null;
  /** The name of the token that made it. */
  readonly createdBy: string | null;
  /** The id of the token that made it, with which it ends and whose limits it shares; null for a token of the environment. */
  readonly parent: string | null;
  /** When it was used last (epoch ms), at most a minute old. */
  readonly lastUsedAt: number | null;
  /** From where it was used last. */
  readonly lastAddress: string | null;
  /** Where it comes from. */
  readonly source: Open<'api' | 'file' | 'environment'>;
}

export interface TokenLimit {
  /** How many. */
  readonly max: number;
  /** In how many ms. */
  readonly duration: number;
}

export interface TokenLimits {
  /** Requests. */
  readonly requests?: TokenLimit | undefined;
  /** Jobs that are added. */
  readonly jobs?: TokenLimit | undefined;
}

export interface TokensPage {
  /** The number of tokens on all pages together. */
  readonly total: number;
  /** The tokens. */
  readonly tokens: readonly Token[];
}

export interface Topic {
  /** Its name. */
  readonly topic: string;
  /** Its subscriptions, by id. */
  readonly subscriptions: readonly Subscription[];
}

export interface TopicFilter {
  /** Names of messages, of which one must match. */
  readonly name?: readonly string[] | undefined;
  /** Paths into the data, with dots: all must match, each by one of its values or operators. At most 150 values in all. */
  readonly data?:
    | Readonly<Record<string, readonly (string | number | boolean | null | TopicOperator)[]>>
    | undefined;
}

export interface TopicFilterInput {
  /** Names of messages, of which one must match. */
  readonly name?: readonly string[] | undefined;
  /** Paths into the data, with dots: all must match, each by one of its values or operators. At most 150 values in all. */
  readonly data?:
    | Readonly<Record<string, readonly (string | number | boolean | null | TopicOperatorInput)[]>>
    | undefined;
}

export interface TopicOperator {
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  readonly 'anything-but'?: readonly (string | number | boolean | null)[] | undefined;
  readonly numeric?: readonly (Open<'=' | '<' | '<=' | '>' | '>='> | number)[] | undefined;
  readonly exists?: boolean | undefined;
}

export interface TopicOperatorInput {
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
  readonly 'anything-but'?: readonly (string | number | boolean | null)[] | undefined;
  readonly numeric?: readonly (Open<'=' | '<' | '<=' | '>' | '>='> | number)[] | undefined;
  readonly exists?: boolean | undefined;
}

export interface Topics {
  /** How many there are. */
  readonly total: number;
  /** The topics, by name. */
  readonly topics: readonly ListedTopic[];
}

export interface WaitSeries {
  /** Half of them took no longer. */
  readonly p50: readonly (number | null)[];
  /** 95 of 100 took no longer. */
  readonly p95: readonly (number | null)[];
  /** 99 of 100 took no longer. */
  readonly p99: readonly (number | null)[];
}

export interface Whoami {
  /** The name of the token. */
  readonly name: string;
  /** Its rights. */
  readonly rights: readonly Open<
    | 'read'
    | 'data'
    | 'add'
    | 'process'
    | 'operate'
    | 'configure'
    | 'metrics'
    | 'tokens'
    | 'audit'
    | 'admin'
  >[];
  /** Patterns of the queues for which it allows that; null for all queues. */
  readonly queues: readonly string[] | null;
  /** When it ends (epoch ms); null for never. */
  readonly expires: number | null;
  /** How the request proved who sent it. */
  readonly via: Open<'token' | 'session' | 'sign-in' | 'jwt'>;
  /** The person who signed in, as the issuer names them. */
  readonly subject?: string | undefined;
}

export interface Window {
  /** The spans of time in which jobs may start. */
  readonly open: readonly WindowSpan[];
  /** The time zone, such as `Europe/Berlin`; UTC unless given. */
  readonly tz?: string | undefined;
}

export interface WindowInput {
  /** The spans of time in which jobs may start. */
  readonly open: readonly WindowSpanInput[];
  /** The time zone, such as `Europe/Berlin`; UTC unless given. */
  readonly tz?: string | undefined;
}

export interface WindowSpan {
  /** The days on which it begins; all unless given. */
  readonly days?:
    readonly Open<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>[] | undefined;
  /** When it begins. */
  readonly from: string;
  /** When it ends; on the next day if that is before `from`. */
  readonly to: string;
}

export interface WindowSpanInput {
  /** The days on which it begins; all unless given. */
  readonly days?:
    readonly Open<'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'>[] | undefined;
  /** When it begins. */
  readonly from: string;
  /** When it ends; on the next day if that is before `from`. */
  readonly to: string;
}

export interface WindowState {
  /** Whether jobs may start. */
  readonly open: boolean;
  /** When that changes, in milliseconds since 1970; null if it never does. */
  readonly changesAt: number | null;
}

export interface Worker {
  /** The queue whose jobs it processes. */
  readonly queue: string;
  /** Where and how jobs are delivered. */
  readonly endpoint: Endpoint;
  /** How jobs are processed. */
  readonly opts?: WorkerOptions | undefined;
}

export interface WorkerChangeInput {
  /** Changes of where and how jobs are delivered. */
  readonly endpoint?: EndpointChangeInput | undefined;
  /** Changes of how jobs are processed; null removes all options. */
  readonly opts?: WorkerOptionsChangeInput | null | undefined;
}

export interface WorkerHealth {
  /** The reason why it is not called, if there is one. */
  readonly state: Open<'healthy' | 'held' | 'open' | 'probing' | 'disabled'>;
  /** When that began, in milliseconds since 1970; null while it is healthy. */
  readonly since: number | null;
  /** When that ends by itself, in milliseconds since 1970; null when that is unknown. */
  readonly until: number | null;
  /** The reason; null without one. */
  readonly reason: string | null;
  /** The name of the token or person who disabled or held it; absent unless one did. */
  readonly by?: string | undefined;
  /** How many recent calls there were. */
  readonly calls: number;
  /** How many of them failed. */
  readonly failures: number;
  /** The status of the last answer; null when there was none. */
  readonly lastStatus: number | null;
  /** Why the last of the failed calls failed; null without. */
  readonly lastError: string | null;
  /** How long the calls took, in milliseconds; null without a call. */
  readonly latencyMs: Latency;
}

export interface WorkerInput {
  /** The queue whose jobs it processes. */
  readonly queue: string;
  /** Where and how jobs are delivered. */
  readonly endpoint: EndpointInput;
  /** How jobs are processed. */
  readonly opts?: WorkerOptionsInput | undefined;
}

export interface WorkerOptions {
  /** Most calls at a time, over all replicas; 1 unless given. */
  readonly concurrency?: number | undefined;
  /** How often a job may lose its replica; 1 unless given. */
  readonly maxStalledCount?: number | undefined;
  /** Bounds the rate of the calls. */
  readonly limiter?: Limiter | undefined;
  /** Stops the calls for a while when the endpoint does not work. */
  readonly breaker?: Breaker | undefined;
  /** Whether an answer 410 disables the worker; not unless given. */
  readonly disableOnGone?: boolean | undefined;
  /** Which answers ask to be called later beside a 429 or 503 with Retry-After, and what waits then. */
  readonly backpressure?: Backpressure | undefined;
  /** Sends several jobs with one call; one a call unless given. */
  readonly batch?: Batch | undefined;
  /** The terms of every group of jobs. */
  readonly groups?: GroupDefaults | undefined;
  /** Which completed jobs to keep; all unless given. */
  readonly removeOnComplete?: Retention | undefined;
  /** Which failed jobs to keep; all unless given. */
  readonly removeOnFail?: Retention | undefined;
}

export interface WorkerOptionsChangeInput {
  /** Most calls at a time, over all replicas; 1 unless given. */
  readonly concurrency?: number | null | undefined;
  /** How often a job may lose its replica; 1 unless given. */
  readonly maxStalledCount?: number | null | undefined;
  /** Bounds the rate of the calls. */
  readonly limiter?: LimiterChangeInput | null | undefined;
  /** Stops the calls for a while when the endpoint does not work. */
  readonly breaker?: BreakerChangeInput | null | undefined;
  /** Whether an answer 410 disables the worker; not unless given. */
  readonly disableOnGone?: boolean | null | undefined;
  /** Which answers ask to be called later beside a 429 or 503 with Retry-After, and what waits then. */
  readonly backpressure?: BackpressureChangeInput | null | undefined;
  /** Sends several jobs with one call; one a call unless given. */
  readonly batch?: BatchChangeInput | null | undefined;
  /** The terms of every group of jobs. */
  readonly groups?: GroupDefaultsChangeInput | null | undefined;
  /** Which completed jobs to keep; all unless given. */
  readonly removeOnComplete?: RetentionChangeInput | null | undefined;
  /** Which failed jobs to keep; all unless given. */
  readonly removeOnFail?: RetentionChangeInput | null | undefined;
}

export interface WorkerOptionsInput {
  /** Most calls at a time, over all replicas; 1 unless given. */
  readonly concurrency?: number | undefined;
  /** How often a job may lose its replica; 1 unless given. */
  readonly maxStalledCount?: number | undefined;
  /** Bounds the rate of the calls. */
  readonly limiter?: LimiterInput | undefined;
  /** Stops the calls for a while when the endpoint does not work. */
  readonly breaker?: BreakerInput | undefined;
  /** Whether an answer 410 disables the worker; not unless given. */
  readonly disableOnGone?: boolean | undefined;
  /** Which answers ask to be called later beside a 429 or 503 with Retry-After, and what waits then. */
  readonly backpressure?: BackpressureInput | undefined;
  /** Sends several jobs with one call; one a call unless given. */
  readonly batch?: BatchInput | undefined;
  /** The terms of every group of jobs. */
  readonly groups?: GroupDefaultsInput | undefined;
  /** Which completed jobs to keep; all unless given. */
  readonly removeOnComplete?: RetentionInput | undefined;
  /** Which failed jobs to keep; all unless given. */
  readonly removeOnFail?: RetentionInput | undefined;
}

export interface WorkerTestReport {
  /** The call as it was sent. */
  readonly request: TestRequest;
  /** The outcome that an attempt would have; `accepted` where the endpoint would complete the job later, `suspended` for a right 206. */
  readonly outcome: string;
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** How many milliseconds the call took. */
  readonly durationMs: number;
  /** The first kB of the answer, null when there was none; only to tokens with the right `data`. */
  readonly response?: string | null | undefined;
  /** Why it failed, or what was wrong with an answer that completes jobs; else null. */
  readonly reason: string | null;
}

export interface WorkersHealth {
  /** The number of workers on all pages together. */
  readonly total: number;
  /** The workers of this page, by queue. */
  readonly workers: readonly ListedHealth[];
}

export interface ChildrenQuery {
  /** How many children to skip. */
  readonly start?: number | undefined;
  /** Most children to return. */
  readonly length?: number | undefined;
}

export interface FailuresQuery {
  /** How many of the latest failed jobs to look at, at most. */
  readonly window?: number | undefined;
}

export interface FiguresQuery {
  /** When the first step begins, in milliseconds since 1970; an hour ago. */
  readonly from?: number | undefined;
  /** A time in the last step, in milliseconds since 1970; now. */
  readonly to?: number | undefined;
  /** The length of a step, in milliseconds: a minute or an hour. */
  readonly step?: number | undefined;
}

export interface JobsQuery {
  /** With `summary`, jobs without what clients put into them. */
  readonly view?: Open<'summary'> | undefined;
  /** The group of the job; empty for those without one. */
  readonly group?: string | undefined;
  /** Which jobs: a list, with commas, of active, waiting, prioritized, delayed, completed, failed, waiting-children, all. */
  readonly statuses?: string | readonly string[] | undefined;
  /** How many jobs to skip. */
  readonly start?: number | undefined;
  /** Most jobs to return. */
  readonly length?: number | undefined;
}

export interface LogsQuery {
  /** How many lines to skip. */
  readonly start?: number | undefined;
  /** Most lines to return. */
  readonly length?: number | undefined;
}

export interface QueuesQuery {
  /** How many queues to skip. */
  readonly start?: number | undefined;
  /** Most queues to return. */
  readonly length?: number | undefined;
  /** Which queues; `*` stands for any characters. */
  readonly name?: string | undefined;
  /** Whether queues that native clients made are looked for first. */
  readonly discover?: boolean | undefined;
  /** With `figures`, how each of the queues does; the rest needs it. */
  readonly view?: Open<'figures'> | undefined;
  /** The order of the queues; by name. */
  readonly sort?: Open<'name' | 'waiting' | 'active' | 'failed' | 'oldest' | 'rate'> | undefined;
  /** By default names from the first, numbers from the largest. */
  readonly order?: Open<'asc' | 'desc'> | undefined;
  /** Only queues of that state. */
  readonly state?:
    | Open<'paused' | 'held' | 'closed' | 'open' | 'disabled' | 'blocked' | 'failing' | 'idle'>
    | undefined;
}

export interface RecentFailuresQuery {
  /** Of the last so many milliseconds. */
  readonly window?: number | undefined;
  /** Most causes to return. */
  readonly length?: number | undefined;
}

export interface SchedulersQuery {
  /** How many schedulers to skip. */
  readonly start?: number | undefined;
  /** Most schedulers to return. */
  readonly length?: number | undefined;
}

export interface SearchQuery {
  /** Which jobs: a list, with commas, of active, waiting, prioritized, delayed, completed, failed, waiting-children, all. */
  readonly statuses?: string | readonly string[] | undefined;
  /** The name of the job. */
  readonly name?: string | undefined;
  /** The group of the job; empty for those without one. */
  readonly group?: string | undefined;
  /** A part of the reason of its failure. */
  readonly reason?: string | undefined;
  /** The status of the last answer. */
  readonly status?: number | undefined;
  /** When it was added at the earliest, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** When it was added at the latest, in milliseconds since 1970. */
  readonly to?: number | undefined;
  /** A value in the data: its path, a colon and the value, such as customer.id:17. */
  readonly data?: string | undefined;
  /** Most jobs to return. */
  readonly length?: number | undefined;
  /** With `summary`, jobs without what clients put into them. */
  readonly view?: Open<'summary'> | undefined;
}

export interface SignalsQuery {
  /** How many signals to skip. */
  readonly start?: number | undefined;
  /** Most signals to return. */
  readonly length?: number | undefined;
}

export interface WorkersQuery {
  /** With `health`, how each of the workers does; the rest needs it. */
  readonly view?: Open<'health'> | undefined;
  /** How many workers to skip. */
  readonly start?: number | undefined;
  /** Most workers to return; 1000. */
  readonly length?: number | undefined;
  /** Only workers in that state. */
  readonly state?: Open<'healthy' | 'held' | 'open' | 'probing' | 'disabled'> | undefined;
}
