import type { JobAddress } from '../../../../domain/flows/flow.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { Children } from './children.ts';
import { EndedJob, endedStatus } from './listed-job.ts';
import type { StoredJob } from './stored-job.ts';

/** What changes as a job moves and runs, and what decides where it is. */
export interface JobRecord extends Omit<
  StoredJob,
  'name' | 'data' | 'opts' | 'logs' | 'children' | 'suspect' | 'lock'
> {
  readonly lock?: {
    readonly token: string;
    readonly expiresAt: number | null;
    readonly isCalled: boolean;
  };
  readonly suspect?: boolean;
  /** Present for a job that waits or waited for others, which have records of their own. */
  readonly isParent?: true;
}

/** What clients gave to the job: large, and rarely changed. */
export type PayloadRecord = Pick<StoredJob, 'name' | 'data' | 'opts'>;

/**
 * @returns the record as it is now, for JSON, which leaves out what is undefined. An accepted job's lock never runs
 * out, which JSON writes as null.
 */
export function jobRecord(job: StoredJob): object {
  return {
    ...job,
    name: undefined,
    data: undefined,
    opts: undefined,
    logs: undefined,
    children: undefined,
    suspect: job.suspect || undefined,
    isParent: job.children === undefined ? undefined : true,
  };
}

/** @returns a job without what clients gave to it, its logs and its children, which have records of their own. */
export function restoredJob({ lock, isParent, suspect = false, ...record }: JobRecord): StoredJob {
  return {
    ...record,
    name: '',
    data: 'null',
    opts: '{}',
    logs: [],
    suspect,
    ...(lock !== undefined && { lock: { ...lock, expiresAt: lock.expiresAt ?? Infinity } }),
    ...(isParent === true && { children: new Children() }),
  };
}

/** @returns a job that ended with what others need of it; undefined for one that has not ended. */
export function restoredEndedJob(record: JobRecord): EndedJob | undefined {
  const status = endedStatus(record);
  // The name of a child is in the record of its payload.
  return status && new EndedJob({ ...restoredJob(record), name: '' }, status, false);
}

/** @returns a job as its records have it, without its logs and children. */
export function jobOfRecords(record: JobRecord, payload: PayloadRecord): StoredJob {
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
