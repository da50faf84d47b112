/** Answers of the API as the pages read them; docs/openapi.json has all of them. Times are epoch ms, durations ms. */

export interface Whoami {
  readonly name: string;
  readonly rights: readonly string[];
  readonly queues: readonly string[] | null;
  readonly expires: number | null;
}

export type JobState =
  'active' | 'waiting' | 'prioritized' | 'delayed' | 'completed' | 'failed' | 'waiting-children';

export type Counts = Readonly<Record<JobState, number>>;

export interface Blocked {
  readonly reason: string;
  readonly until?: number;
  readonly detail: string;
  /** The job in the way. */
  readonly queue?: string;
  readonly id?: string;
}

/** That jobs fail: so many of those that ended within the window. */
export interface Failing {
  readonly window: number;
  readonly ended: number;
  readonly failed: number;
}

export interface FiguredQueue {
  readonly name: string;
  readonly paused: boolean;
  readonly counts: Counts;
  readonly oldestWaiting: number | null;
  readonly worker: { readonly url: string; readonly state: string } | null;
  readonly blocked: Blocked | null;
  readonly rates: { readonly added: number; readonly completed: number; readonly failed: number };
  readonly failureRate: number | null;
  readonly failing: Failing | null;
  /** Why an operator should look at it; a severity of 1 is the most severe. */
  readonly attention: { readonly reason: string; readonly severity: number } | null;
  readonly spark: readonly number[];
}

export interface FiguredQueues {
  readonly at: number;
  readonly total: number;
  readonly queues: readonly FiguredQueue[];
}

export interface ListedQueues {
  readonly total: number;
  readonly queues: readonly { readonly name: string; readonly counts: Counts }[];
}

export interface Queue {
  readonly name: string;
  readonly paused: boolean;
  readonly counts: Counts;
  readonly oldestWaiting: number | null;
  readonly worker: string | null;
  readonly concurrency: number | null;
  readonly limiter: { readonly max: number; readonly duration: number } | null;
  readonly heldUntil: number | null;
  readonly heldBy: string | null;
  readonly window: { readonly open: boolean; readonly changesAt: number | null } | null;
  readonly policy: Readonly<Record<string, unknown>> | null;
  readonly deadLetters: { readonly from: readonly string[] } | null;
  readonly stuckParents: number;
  readonly blocked: Blocked | null;
}

type Series = readonly (number | null)[];

export interface Percentiles {
  readonly p50: Series;
  readonly p95: Series;
  readonly p99: Series;
}

/** Answers of endpoints by their status; `none` without any. */
export type StatusSeries = Readonly<
  Record<'1xx' | '2xx' | '3xx' | '4xx' | '429' | '5xx' | 'none', Series>
>;

export interface Figures {
  readonly step: number;
  readonly from: number;
  readonly series: {
    readonly added: Series;
    readonly completed: Series;
    readonly failed: Series;
    readonly waiting: Series;
    readonly waitMs: Percentiles;
    readonly callMs: Percentiles;
    readonly status: StatusSeries;
  };
}

export interface JobSummary {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly timestamp: number;
  readonly processedOn: number | null;
  readonly finishedOn: number | null;
  readonly dueAt: number | null;
  readonly priority: number;
  readonly attemptsMade: number;
  readonly attempts: number;
  readonly progress?: number | null;
  readonly failedReason: string | null;
  readonly lastStatus: number | null;
  readonly group: string | null;
  readonly parent: { readonly queue: string; readonly id: string } | null;
  readonly dataSize: number;
}

export interface JobsPage {
  readonly jobs: readonly JobSummary[];
}

export interface JobSearch {
  readonly jobs: readonly JobSummary[];
  readonly scanned: number;
  readonly cursor: string | null;
}

export interface Job {
  readonly data?: unknown;
  readonly opts: Readonly<Record<string, unknown>>;
  readonly failedReason?: string;
  readonly stacktrace: readonly string[] | null;
  readonly redactedOn?: number;
  readonly callback?: {
    readonly state: string;
    readonly attempts: number;
    readonly lastStatus: number | null;
  };
}

export interface Attempt {
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly response?: string | null;
  readonly durationMs: number;
  readonly replica: string | null;
  readonly traceId: string | null;
}

export interface Attempts {
  readonly count: number;
  readonly attempts: readonly Attempt[];
}

export interface Logs {
  readonly count: number;
  readonly logs: readonly string[];
}

export interface Repair {
  readonly matched: number;
  readonly done: number;
  readonly remaining: number;
  readonly samples?: readonly string[];
}

export interface FailureGroup {
  readonly cause: string;
  readonly reason: string;
  readonly status: number | null;
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly samples: readonly string[];
}

/** A cause as it is listed over all queues. */
export interface Failure extends FailureGroup {
  readonly queue: string;
}

export interface QueueFailures {
  readonly window: number;
  readonly failed: number;
  readonly causes: readonly FailureGroup[];
}

export interface WorkerHealth {
  readonly queue: string;
  readonly url: string;
  readonly method: string;
  readonly state: string;
  readonly since: number | null;
  readonly until: number | null;
  readonly reason: string | null;
  readonly concurrency: number;
  readonly running: number;
  readonly calls: number;
  readonly failures: number;
  readonly lastStatus: number | null;
  readonly latencyMs: Readonly<Record<'p50' | 'p95' | 'p99', number | null>>;
  readonly signed: boolean;
  readonly registeredAt: number | null;
}

export interface WorkersHealth {
  readonly total: number;
  readonly workers: readonly WorkerHealth[];
}

export interface Call {
  readonly job: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly outcome: string;
  readonly reason: string | null;
  readonly replica: string;
}

export interface TestReport {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
  /** Absent without the right `data`. */
  readonly response?: string | null;
  readonly reason: string | null;
}

export interface Scheduler {
  readonly queue: string;
  readonly id: string;
  readonly repeat: {
    readonly pattern?: string;
    readonly every?: number;
    readonly tz?: string;
  };
  readonly job: { readonly name: string };
  readonly overlap: string;
  readonly paused: boolean;
  readonly next: readonly number[];
  readonly last: SchedulerRun | null;
  readonly lastRunByHand: SchedulerRun | null;
}

export interface SchedulerRun {
  readonly at: number;
  readonly jobId: string;
  readonly state: string | null;
}

export interface Schedulers {
  readonly total: number;
  readonly schedulers: readonly Scheduler[];
}

export interface FlowNode {
  readonly queue: string;
  readonly id: string;
  readonly name?: string | null;
  readonly state?: string | null;
  readonly failedReason?: string;
  readonly timestamp?: number;
  readonly processedOn?: number;
  readonly finishedOn?: number;
  readonly children?: readonly FlowNode[];
}

export interface AuditEntry {
  readonly id: string;
  readonly at: number;
  readonly who: { readonly id?: string; readonly name: string; readonly via: string };
  readonly address: string;
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly outcome: string;
  readonly status: number | null;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly cursor: string | null;
}

export interface DatabaseFacts {
  readonly deadRows: { readonly log: number; readonly records: number; readonly inbox: number };
  readonly oldestSnapshot: {
    readonly application: string;
    readonly ageMs: number | null;
  } | null;
  readonly connections: { readonly used: number; readonly most: number };
  readonly isNotified: boolean;
}

export interface System {
  readonly version: string;
  readonly startedAt: number;
  readonly store: {
    readonly kind: string;
    readonly path: string | null;
    readonly version: string | null;
    readonly usedMemory: number | null;
    readonly maxMemory: number | null;
    readonly evictionPolicy: string | null;
    readonly latencyMs: number | null;
    readonly database: DatabaseFacts | null;
  };
  readonly replicas: readonly {
    readonly instance: string;
    readonly version: string;
    readonly startedAt: number;
    readonly seenAt: number;
    readonly ready: boolean;
    readonly running: number;
    readonly lagMs: number;
    readonly clockSkewMs: number;
  }[];
  readonly warnings: readonly {
    readonly code: string;
    readonly text: string;
    readonly docs: string;
  }[];
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly hint: string | null;
  readonly rights: readonly string[];
  readonly queues: readonly string[] | null;
  readonly expires: number | null;
  readonly lastUsedAt: number | null;
  readonly source: string;
}

export interface Digest {
  readonly queue: string;
  readonly timestamp: number;
  readonly happened: Readonly<Record<string, number>>;
}

export interface GroupSettings {
  readonly concurrency?: number;
  readonly limiter?: { readonly max: number; readonly duration: number };
  readonly weight?: number;
  readonly maxWaiting?: number;
  readonly expires?: number;
}

export interface Group {
  /** Empty for the jobs without a group. */
  readonly id: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly oldestWaiting: number | null;
  readonly share: number;
  readonly paused: boolean;
  readonly heldUntil: number | null;
  readonly blocked: { readonly reason: string; readonly job?: string } | null;
  readonly settings: GroupSettings | null;
}

export interface Groups {
  readonly total: number;
  readonly groups: readonly Group[];
}
