import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { RANK_OF_GROUPED } from '../../../../domain/transitions/places.ts';
import { writtenJob } from '../records/job-record.ts';
import { StoredJob } from './stored-job.ts';

/** The orders of a job: among those that wait, and among those of its group if it has one. */
export type Orders = readonly [order: number, inGroup: number | undefined];

/** A job that is not added yet, while its record is stored already: its orders are reserved. */
export class ForeseenJob {
  readonly job: StoredJob;
  readonly reserved: Orders;
  /** The text of its record. */
  readonly text: string;
  readonly #rank: number;

  constructor(record: JobRecord, reserved: Orders) {
    const [order, inGroup] = reserved;
    this.job = StoredJob.of(record);
    this.reserved = reserved;
    this.#rank = record.group === undefined ? 0 : RANK_OF_GROUPED;
    this.job.status = 'waiting';
    this.job.position = { rank: this.#rank, order };
    if (inGroup !== undefined) this.job.groupPosition = { rank: 0, order: inGroup };
    this.text = JSON.stringify(writtenJob(this.job));
    this.job.status = undefined;
    this.job.position = undefined;
    this.job.groupPosition = undefined;
  }

  /** Whether the job, which has its place, is as it was foreseen. */
  is(job: StoredJob): boolean {
    const { status, rank, order, groupPosition } = job;
    if (job !== this.job || status !== 'waiting' || rank !== this.#rank) return false;
    const [reserved, inGroup] = this.reserved;
    if ((groupPosition?.rank ?? 0) !== 0) return false;
    return order === reserved && groupPosition?.order === inGroup;
  }
}
