import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { StoredJob } from '../state/stored-job.ts';

/** A job as it is written: what changes as it moves and runs, and what decides where it is. */
export interface WrittenJob extends Omit<JobRecord, 'name' | 'data' | 'opts' | 'suspect' | 'lock'> {
  readonly lock?: {
    readonly token: string;
    readonly expiresAt: number | null;
    readonly isCalled: boolean;
  };
  readonly suspect?: boolean;
}

/** What clients gave to the job: large, and rarely changed. */
export type PayloadRecord = Pick<JobRecord, 'name' | 'data' | 'opts'>;

/**
 * @returns the record as it is now, for JSON, which leaves out what is undefined. An accepted job's lock never runs
 * out, which JSON writes as null.
 */
export function writtenJob(job: StoredJob): object {
  return {
    ...job,
    name: undefined,
    data: undefined,
    opts: undefined,
    logs: undefined,
    children: undefined,
    suspect: job.suspect || undefined,
  };
}

/** @returns a job without what clients gave to it, its logs and its children, which have records of their own. */
export function restoredJob({ lock, suspect = false, ...record }: WrittenJob): JobRecord {
  return {
    ...record,
    name: '',
    data: 'null',
    opts: '{}',
    suspect,
    ...(lock !== undefined && { lock: { ...lock, expiresAt: lock.expiresAt ?? Infinity } }),
  };
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
