import type { StoredAttempt } from '../attempts/attempt-record.ts';
import type { Lock } from '../attempts/attempt.ts';
import { expiryOf } from '../attempts/expiry.ts';
import type { FailureRule, JobAddress } from '../flows/flow.ts';
import type { JobGroup } from '../groups/job-group.ts';
import type { JobOptions } from '../jobs/job-options.ts';
import type { ChangedOptions } from '../jobs/job-retry.ts';
import { endedState, type JobState } from '../jobs/job-status.ts';
import type { NewJob } from '../jobs/job.ts';
import { USUAL_COST } from '../queues/start-cost.ts';
import type { CountedStart } from '../queues/start-window.ts';
import type { Step } from '../steps/step.ts';
import type { Suspension } from '../steps/suspension.ts';
import { jsonText } from '../values/json.ts';

/** Where a job is among others: its rank, and its order among those of equal rank. */
export interface Position {
  readonly rank: number;
  readonly order: number;
}

/** The parent of a job, and what the failure of the job does to it. */
export interface ParentLink extends JobAddress {
  readonly onFailure: FailureRule;
}

/**
 * The acceptance of a job by its endpoint, or its receipt as a message by a client, valid while the token holds the job.
 * Times are epoch ms.
 */
export interface Acceptance {
  readonly token: string;
  readonly isReceived?: true;
  readonly since: number;
  readonly until: number;
  /** Once it was found overdue: until when the one that found it has time to end it. */
  readonly foundUntil?: number;
}

/**
 * What steps need of any job. Of one that ended, a store may have no more than this at hand: there may be millions of
 * them.
 */
export interface ListedJob {
  readonly id: string;
  /** Its state, and the position among the jobs of that state; undefined before it has a place. */
  readonly status?: JobState | undefined;
  readonly position?: Position | undefined;
  /** Epoch ms. */
  readonly finishedOn?: number | undefined;
  readonly group?: JobGroup | undefined;
  readonly deduplicationId?: string | undefined;
  /** The scheduler that made it. */
  readonly schedulerId?: string | undefined;
  readonly parent?: ParentLink | undefined;
  /** How many values its steps ever had. */
  readonly lastStep: number;
}

/**
 * What steps need of a job that has not ended. A store may have no more than this at hand (platform contract, section
 * 15, "Size"). Values of clients are JSON text, so nothing that a client passed in or got back shares memory with the
 * store. Times are epoch ms.
 */
export interface IndexedJob extends ListedJob {
  readonly name: string;
  /** 0 is no priority. */
  readonly priority: number;
  readonly lifo: boolean;
  /** What its start counts in limiters; 1 unless given. */
  readonly cost?: number | undefined;
  /** Its position among the waiting jobs of its group, or the position when it last waited. */
  readonly groupPosition?: Position | undefined;
  readonly timestamp: number;
  readonly attemptsStarted: number;
  readonly attemptsMade: number;
  /** In milliseconds. */
  readonly delay: number;
  /** The delay (ms) that it was added with. */
  readonly firstDelay: number;
  readonly processedOn?: number | undefined;
  /** The replica that started its latest attempt. */
  readonly processedBy?: string | undefined;
  readonly lock?: Lock | undefined;
  readonly acceptance?: Acceptance | undefined;
  /** While it is active, if it started under limits that queues share: its call, and their names. */
  readonly limits?: { readonly call: string; readonly names: readonly string[] } | undefined;
  /** Whether it had no lock at the last stalled check and has had none since. */
  readonly suspect: boolean;
  readonly stalledCount: number;
  /** Since it was put back: when it had started among others, and how many starts the queue had seen. */
  readonly returned?: { readonly started: number; readonly starts: number } | undefined;
  /** Why the next attempt must end in failure. */
  readonly mustFail?: string | undefined;
  /** When its first attempt must start at the latest; undefined once it started, or without a limit. */
  readonly expiresAt?: number | undefined;
  /** How often it was deferred since it was added or last retried by hand. */
  readonly deferrals: number;
  /** How often it was suspended since it was added or last retried by hand. */
  readonly suspensions: number;
  /** What it awaits, or awaited until it is called again. */
  readonly suspension?: Suspension | undefined;
  /** The half of a failed batch call that the job belongs to. */
  readonly half?: string | undefined;
  /** Whether it names its own destination: it shares no call, and is no probe of the breaker. */
  readonly goesAlone?: true | undefined;
  /** Whether it waits, or waited, for other jobs. */
  readonly isParent?: true | undefined;
  /** Its latest end that a callback followed: which one it was, from 1, and when (epoch ms). */
  readonly calledBack?: { readonly run: number; readonly at: number } | undefined;
  /** When (epoch ms) its values were removed. */
  readonly redactedOn?: number | undefined;
}

/** What the attempts of a job left: large for a job that failed often, or returned much. */
export interface JobHistory {
  readonly progress: string;
  readonly returnvalue: string;
  readonly failedReason?: string | undefined;
  readonly stacktrace: string[] | null;
  /** Its latest attempts. */
  readonly attempts: readonly StoredAttempt[];
  /** What it saved, in the order of saving. The values have records of their own. */
  readonly steps: readonly Step[];
}

/** A job as a store keeps it, without its logs and its children, which have records of their own. */
export interface JobRecord extends IndexedJob, JobHistory {
  readonly data: string;
  readonly opts: string;
}

/** Fields to write into the record of a job. */
export type JobChanges = Partial<Omit<JobRecord, 'id' | 'name' | 'timestamp' | 'position'>>;

/** Such fields of a job of which only a part may be at hand. */
export type IndexChanges = Omit<
  JobChanges,
  'data' | 'opts' | Exclude<keyof JobHistory, 'failedReason'>
>;

const NO_ATTEMPTS: JobRecord['attempts'] = [];
export const NO_STEPS: JobRecord['steps'] = [];

/**
 * A fresh job that has no place yet. Throws when a value cannot be written as JSON.
 *
 * Every field is there from the start, undefined or not: engines are slow with objects whose shapes change, and with
 * copies of large ones.
 */
export function newJobRecord(id: string, { name, data, opts }: NewJob, now: number): JobRecord {
  return {
    id,
    name,
    data: jsonText(data),
    opts: JSON.stringify(opts),
    priority: opts.priority ?? 0,
    lifo: opts.lifo ?? false,
    cost: ownCostOf(opts),
    group: opts.group,
    groupPosition: undefined,
    deduplicationId: opts.deduplication?.id,
    schedulerId: undefined,
    timestamp: now,
    progress: '0',
    returnvalue: 'null',
    failedReason: undefined,
    stacktrace: null,
    attemptsStarted: 0,
    attemptsMade: 0,
    delay: opts.delay,
    firstDelay: opts.delay,
    processedOn: undefined,
    processedBy: undefined,
    finishedOn: undefined,
    status: undefined,
    position: undefined,
    lock: undefined,
    acceptance: undefined,
    limits: undefined,
    suspect: false,
    stalledCount: 0,
    returned: undefined,
    mustFail: undefined,
    expiresAt: expiryOf(now, opts.ttl),
    deferrals: 0,
    suspensions: 0,
    lastStep: 0,
    suspension: undefined,
    half: undefined,
    goesAlone: opts.endpoint === undefined ? undefined : true,
    parent: undefined,
    isParent: undefined,
    attempts: NO_ATTEMPTS,
    steps: NO_STEPS,
    calledBack: undefined,
    redactedOn: undefined,
  };
}

export function optionsOf({ opts }: Pick<JobRecord, 'opts'>): JobOptions {
  return JSON.parse(opts) as JobOptions;
}

/** The fields that hold options, after some of these were replaced. */
export function withOptions(job: JobRecord, changed: ChangedOptions): JobChanges {
  return {
    opts: JSON.stringify({ ...optionsOf(job), ...changed }),
    priority: changed.priority ?? job.priority,
    ...('cost' in changed && { cost: ownCostOf(changed) }),
  };
}

/** What the start of a job counts in limiters, unless that is what others do. */
function ownCostOf({ cost }: Pick<JobOptions, 'cost'>): number | undefined {
  return cost === USUAL_COST ? undefined : cost;
}

/** What the start of a job counts in limiters. */
export function costOf({ cost = USUAL_COST }: Pick<IndexedJob, 'cost'>): number {
  return cost;
}

/** The start of the running attempt of a job, as limiters count it. */
export function startOf(job: Pick<IndexedJob, 'cost' | 'processedOn'>): CountedStart {
  return { at: job.processedOn ?? 0, cost: costOf(job) };
}

/** When (epoch ms) the job could first start. */
export function startableAt(job: Pick<IndexedJob, 'timestamp' | 'firstDelay'>): number {
  return job.timestamp + job.firstDelay;
}

/** Whether it completed or failed. */
export function hasEnded({ status }: Pick<ListedJob, 'status'>): boolean {
  return endedState(status) !== undefined;
}

/** Whether an attempt holds the job. */
export function isLocked({ lock }: Pick<IndexedJob, 'lock'>, now: number): boolean {
  return lock !== undefined && now < lock.expiresAt;
}
