import type { Lock } from '../../../../domain/attempts/attempt.ts';
import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { endedState, type JobState } from '../../../../domain/jobs/job-status.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { JobLog, type WrittenLog } from '../state/job-log.ts';
import type { Run } from '../state/job-run.ts';
import { StoredJob } from '../state/stored-job.ts';
import { hasHistoryApart, inlineHistory } from './job-history.ts';

/** The part of a job that clients provide. It is large and rarely changes, so it has a record of its own. */
export type PayloadRecord = Pick<JobRecord, 'name' | 'data' | 'opts'>;

/** The payload alone of a job that is in memory. */
export function payloadOf({ name, data, opts }: PayloadRecord): PayloadRecord {
  return { name, data, opts };
}

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
 * The record of a job as it is now, for JSON, which leaves out what is undefined. One literal has all fields: to add some of
 * them to an object takes longer than its text.
 */
export function writtenJob(job: StoredJob): object {
  const isHistoryApart = hasHistoryApart(job);
  const history = endedState(job.status) && inlineHistory(job, isHistoryApart);
  return {
    id: job.id,
    name: job.name,
    status: job.status,
    position: job.place,
    timestamp: job.timestamp,
    group: job.group,
    groupPosition: job.groupPosition,
    deduplicationId: job.deduplicationId,
    finishedOn: job.finishedOn,
    priority: job.priority || undefined,
    delay: job.delay || undefined,
    firstDelay: job.firstDelay || undefined,
    log: job.log?.written,
    hasLogs: job.hasOlderLog || undefined,
    hasHistory: isHistoryApart || undefined,
    failedReason: history?.failedReason,
    progress: history?.progress,
    returnvalue: history?.returnvalue,
    stacktrace: history?.stacktrace,
    attempts: history?.attempts,
    steps: history?.steps,
    lifo: job.lifo || undefined,
    cost: job.cost,
    schedulerId: job.schedulerId,
    parent: job.parent,
    isParent: job.isParent,
    expiresAt: job.expiresAt,
    processedOn: job.processedOn,
    processedBy: job.processedBy,
    lock: job.lock,
    acceptance: job.acceptance,
    limits: job.limits,
    returned: job.returned,
    mustFail: job.mustFail,
    half: job.half,
    goesAlone: job.goesAlone,
    calledBack: job.calledBack,
    redactedOn: job.redactedOn,
    attemptsStarted: job.attemptsStarted || undefined,
    attemptsMade: job.attemptsMade || undefined,
    suspect: job.suspect || undefined,
    stalledCount: job.stalledCount || undefined,
    deferrals: job.deferrals || undefined,
    suspensions: job.suspensions || undefined,
    lastStep: job.lastStep || undefined,
    suspension: job.suspension,
  } satisfies Record<keyof WrittenJob, unknown>;
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
  const { lifo = false, cost, schedulerId, parent, isParent, expiresAt, lastStep = 0 } = written;
  const { goesAlone } = written;
  job.write({ lifo, cost, schedulerId, parent, isParent, expiresAt, lastStep, goesAlone });
  job.write({
    log: written.log && JobLog.restored(written.log),
    hasOlderLog: written.hasLogs === true,
    hasHistory: written.hasHistory === true,
  });
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
