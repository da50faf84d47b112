import type { Lock } from '../../../../domain/attempts/attempt.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { endedState, type JobState } from '../../../../domain/jobs/job-status.ts';
import type { JobHistory, JobRecord } from '../../../../domain/records/job-record.ts';
import { JobLog, type WrittenLog } from '../state/job-log.ts';
import type { Run } from '../state/job-run.ts';
import { StoredJob } from '../state/stored-job.ts';
import { hasHistoryApart, inlineHistory } from './job-history.ts';

/** The values that the fields of a job have by default. */
const BLANK_JOB = new StoredJob('', '', 0);

/** The part of a job that clients provide. It is large and rarely changes, so it has a record of its own. */
export type PayloadRecord = Pick<JobRecord, 'name' | 'data' | 'opts'>;

/**
 * A job as it is written: what changes as it moves and runs, and what decides where it is. Fields that are as in a blank
 * job are left out.
 */
export interface WrittenJob
  extends
    Pick<JobRecord, 'id' | 'timestamp'>,
    Partial<Omit<JobRecord, 'data' | 'opts' | 'id' | 'timestamp' | 'lock'>> {
  /** Records of earlier versions have it in their payloads alone. */
  readonly name?: string;
  readonly log?: WrittenLog | undefined;
  /** Whether all of its log is in one record, as earlier versions wrote it. */
  readonly hasLogs?: true | undefined;
  /** Whether a record of its own has its history, which else is inline. */
  readonly hasHistory?: true | undefined;
  /** That of an accepted job never runs out, which JSON writes as null. */
  readonly lock?: (Omit<Lock, 'expiresAt'> & { readonly expiresAt: number | null }) | undefined;
}

/**
 * The record of a job as it is now, for JSON, which leaves out what is undefined. The fields are spelled out, and those
 * that few jobs have are added to these alone: to write 10,000 jobs keeps others waiting.
 */
export function writtenJob(job: StoredJob): object {
  const { id, name, status, place, timestamp, priority, delay, firstDelay } = job;
  const { group, groupPosition, deduplicationId, finishedOn } = job;
  const isHistoryApart = hasHistoryApart(job);
  const written = {
    id,
    name,
    status,
    position: place,
    timestamp,
    group,
    groupPosition,
    deduplicationId,
    finishedOn,
    priority: priority === BLANK_JOB.priority ? undefined : priority,
    delay: delay === BLANK_JOB.delay ? undefined : delay,
    firstDelay: firstDelay === BLANK_JOB.firstDelay ? undefined : firstDelay,
    log: job.log?.written,
    hasLogs: job.hasOlderLog || undefined,
    hasHistory: isHistoryApart || undefined,
  } satisfies Record<
    Exclude<keyof WrittenJob, keyof Run | keyof WrittenTies | keyof JobHistory>,
    unknown
  >;
  if (endedState(status) !== undefined) Object.assign(written, inlineHistory(job, isHistoryApart));
  if (job.hasTies) Object.assign(written, writtenTies(job));
  if (job.hasRun) Object.assign(written, writtenRun(job));
  return written;
}

type WrittenTies = Pick<WrittenJob, 'lifo' | 'schedulerId' | 'parent' | 'isParent' | 'expiresAt'>;

function writtenTies({ lifo, schedulerId, parent, isParent, expiresAt }: StoredJob): object {
  return {
    lifo: lifo === BLANK_JOB.lifo ? undefined : lifo,
    schedulerId,
    parent,
    isParent,
    expiresAt,
  } satisfies Record<keyof WrittenTies, unknown>;
}

function writtenRun(job: StoredJob): object {
  const { processedOn, processedBy, lock, acceptance, returned, mustFail } = job;
  const { half, calledBack, redactedOn } = job;
  const unlessBlank = (field: keyof Run): unknown =>
    job[field] === BLANK_JOB[field] ? undefined : job[field];
  return {
    processedOn,
    processedBy,
    lock,
    acceptance,
    returned,
    mustFail,
    half,
    calledBack,
    redactedOn,
    attemptsStarted: unlessBlank('attemptsStarted'),
    attemptsMade: unlessBlank('attemptsMade'),
    suspect: unlessBlank('suspect'),
    stalledCount: unlessBlank('stalledCount'),
    deferrals: unlessBlank('deferrals'),
  } satisfies Record<keyof Run, unknown>;
}

/**
 * A job as it was written: without its payload, its logs and its children, which have records of their own. What a job
 * that ended has from its run stays on the disk, too.
 *
 * @param shared returns a text that many jobs have.
 */
export function restoredJob(written: WrittenJob, shared: (text: string) => string): StoredJob {
  const { id, name = '', timestamp, status } = written;
  const job = new StoredJob(id, shared(name), timestamp);
  if (status !== undefined) job.status = shared(status) as JobState;
  job.position = written.position;
  const { priority = 0, delay = 0, firstDelay = 0 } = written;
  job.priority = priority;
  job.delay = delay;
  job.firstDelay = firstDelay;
  job.group = written.group;
  job.groupPosition = written.groupPosition;
  job.deduplicationId = written.deduplicationId;
  job.finishedOn = written.finishedOn;
  const { lifo = false, schedulerId, parent, isParent, expiresAt } = written;
  Object.assign(job, { lifo, schedulerId, parent, isParent, expiresAt });
  job.log = written.log && JobLog.restored(written.log);
  job.hasOlderLog = written.hasLogs === true;
  job.hasHistory = written.hasHistory === true;
  if (endedState(status) === undefined) job.restoreRun(runOf(written));
  else job.isRedacted = written.redactedOn !== undefined;
  return job;
}

/** The run of a job, as it was written. */
export function runOf({ lock, ...written }: WrittenJob): Partial<Run> {
  if (lock === undefined) return written;
  return { ...written, lock: { ...lock, expiresAt: lock.expiresAt ?? Infinity } };
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
