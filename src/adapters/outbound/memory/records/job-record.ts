import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { StoredJob } from '../state/stored-job.ts';

/** What most jobs have until they run, which is not written. */
const FRESH = {
  priority: 0,
  lifo: false,
  progress: '0',
  returnvalue: 'null',
  stacktrace: null,
  attemptsStarted: 0,
  attemptsMade: 0,
  delay: 0,
  suspect: false,
  stalledCount: 0,
  deferrals: 0,
} as const satisfies Partial<JobRecord>;

type Fresh = keyof typeof FRESH | 'attempts';

/** A job as it is written: what changes as it moves and runs, and what decides where it is. */
export interface WrittenJob
  extends Omit<JobRecord, keyof PayloadRecord | Fresh | 'lock'>, Partial<Pick<JobRecord, Fresh>> {
  readonly lock?: {
    readonly token: string;
    readonly expiresAt: number | null;
    readonly isCalled: boolean;
  };
}

/** What clients gave to the job: large, and rarely changed. */
export type PayloadRecord = Pick<JobRecord, 'name' | 'data' | 'opts'>;

/** Every field, so that all jobs have the same shape, as fresh ones have. */
const EMPTY = {
  name: '',
  data: 'null',
  opts: '{}',
  ...FRESH,
  groupPosition: undefined,
  deduplicationId: undefined,
  schedulerId: undefined,
  group: undefined,
  failedReason: undefined,
  processedOn: undefined,
  finishedOn: undefined,
  status: undefined,
  position: undefined,
  lock: undefined,
  acceptance: undefined,
  returned: undefined,
  mustFail: undefined,
  expiresAt: undefined,
  half: undefined,
  parent: undefined,
  isParent: undefined,
  attempts: [],
} as const satisfies Omit<JobRecord, 'id' | 'timestamp'>;

/**
 * @returns the record as it is now, for JSON, which leaves out what is undefined. An accepted job's lock never runs
 * out, which JSON writes as null.
 */
export function writtenJob(job: StoredJob): object {
  const { id, status, position, timestamp, group, groupPosition, deduplicationId } = job;
  const { schedulerId, failedReason, processedOn, finishedOn, lock, acceptance, returned } = job;
  const { mustFail, expiresAt, half, parent, isParent, attempts } = job;
  const unlessFresh = (field: keyof typeof FRESH) => {
    const value: unknown = job[field];
    return value === FRESH[field] ? undefined : value;
  };
  return {
    id,
    status,
    position,
    timestamp,
    group,
    groupPosition,
    deduplicationId,
    schedulerId,
    failedReason,
    processedOn,
    finishedOn,
    lock,
    acceptance,
    returned,
    mustFail,
    expiresAt,
    half,
    parent,
    isParent,
    priority: unlessFresh('priority'),
    lifo: unlessFresh('lifo'),
    progress: unlessFresh('progress'),
    returnvalue: unlessFresh('returnvalue'),
    stacktrace: unlessFresh('stacktrace'),
    attemptsStarted: unlessFresh('attemptsStarted'),
    attemptsMade: unlessFresh('attemptsMade'),
    delay: unlessFresh('delay'),
    suspect: unlessFresh('suspect'),
    stalledCount: unlessFresh('stalledCount'),
    deferrals: unlessFresh('deferrals'),
    attempts: attempts.length === 0 ? undefined : attempts,
  } satisfies Record<keyof WrittenJob, unknown>;
}

/** @returns a job without what clients gave to it, its logs and its children, which have records of their own. */
export function restoredJob({ lock, ...written }: WrittenJob): JobRecord {
  const job = { ...EMPTY, ...written };
  return lock === undefined
    ? job
    : { ...job, lock: { ...lock, expiresAt: lock.expiresAt ?? Infinity } };
}

/** @returns a job as its records have it, without its logs and children. */
export function jobOfRecords(record: WrittenJob, payload: PayloadRecord): JobRecord {
  return { ...restoredJob(record), ...payload };
}

/** The id of the record of a child. */
export function childRecordId(parentId: string, { queue, id }: JobAddress): string {
  return JSON.stringify([parentId, queue, id]);
}

export function childOfRecordId(
  recordId: string,
): readonly [parentId: string, queue: QueueName, id: string] {
  return JSON.parse(recordId) as [string, QueueName, string];
}
