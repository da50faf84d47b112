import type { Lock } from '../../../../domain/attempts/attempt.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { newJobRecord, type JobRecord } from '../../../../domain/records/job-record.ts';
import type { StoredJob } from '../state/stored-job.ts';

/** The values that the fields of a job have by default. */
const BLANK_JOB = newJobRecord('', { name: '', data: null, opts: { attempts: 0, delay: 0 } }, 0);

/** The part of a job that clients provide. It is large and rarely changes, so it has a record of its own. */
export type PayloadRecord = Pick<JobRecord, 'name' | 'data' | 'opts'>;

/**
 * A job as it is written: what changes as it moves and runs, and what decides where it is. Fields that are as in a blank
 * job are left out.
 */
export interface WrittenJob
  extends
    Pick<JobRecord, 'id' | 'timestamp'>,
    Partial<Omit<JobRecord, keyof PayloadRecord | 'id' | 'timestamp' | 'lock'>> {
  /** That of an accepted job never runs out, which JSON writes as null. */
  readonly lock?: (Omit<Lock, 'expiresAt'> & { readonly expiresAt: number | null }) | undefined;
}

/**
 * The record of a job as it is now, for JSON, which leaves out what is undefined. The fields are spelled out since a
 * loop over their names takes longer than the text.
 */
export function writtenJob(job: StoredJob): object {
  const { id, status, position, timestamp, group, groupPosition, deduplicationId } = job;
  const {
    schedulerId,
    failedReason,
    processedOn,
    processedBy,
    finishedOn,
    lock,
    acceptance,
    returned,
  } = job;
  const { mustFail, expiresAt, half, parent, isParent, calledBack, redactedOn } = job;
  const unlessBlank = (field: keyof WrittenJob): unknown =>
    job[field] === BLANK_JOB[field] ? undefined : job[field];
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
    processedBy,
    finishedOn,
    lock,
    acceptance,
    returned,
    mustFail,
    expiresAt,
    half,
    parent,
    isParent,
    calledBack,
    redactedOn,
    priority: unlessBlank('priority'),
    lifo: unlessBlank('lifo'),
    progress: unlessBlank('progress'),
    returnvalue: unlessBlank('returnvalue'),
    stacktrace: unlessBlank('stacktrace'),
    attemptsStarted: unlessBlank('attemptsStarted'),
    attemptsMade: unlessBlank('attemptsMade'),
    delay: unlessBlank('delay'),
    suspect: unlessBlank('suspect'),
    stalledCount: unlessBlank('stalledCount'),
    deferrals: unlessBlank('deferrals'),
    attempts: unlessBlank('attempts'),
  } satisfies Record<keyof WrittenJob, unknown>;
}

/** A job without its payload, its logs and its children, which have records of their own. */
export function restoredJob({ lock, ...written }: WrittenJob): JobRecord {
  const job = { ...BLANK_JOB, ...written };
  return lock === undefined
    ? job
    : { ...job, lock: { ...lock, expiresAt: lock.expiresAt ?? Infinity } };
}

/** A job as its records have it, without its logs and children. */
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
