import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { RANK_OF_GROUPED } from '../../../../domain/transitions/places.ts';
import { writtenJob } from '../records/job-record.ts';
import { StoredJob } from './stored-job.ts';

/** Stands for an order that is not known yet. No order is a fraction. */
const UNKNOWN = 0.5;

/** The unknown order in the text of a record. No text in it can contain this: quotes within texts are escaped. */
const UNKNOWN_ORDER = `"order":${UNKNOWN}`;

/** The orders of a job: among those that wait, and among those of its group if it has one. */
export type Orders = readonly [order: number, inGroup?: number | undefined];

/** A job that is not there yet. Its record is known, except for its orders. */
export class ForeseenJob {
  readonly job: StoredJob;
  /** The orders that were reserved for it, if any. Its record is stored then. */
  readonly reserved: Orders | undefined;
  readonly #rank: number;
  /** The record, without its orders. */
  readonly #parts: readonly string[];

  constructor(record: JobRecord, reserved: Orders | undefined) {
    this.job = StoredJob.of(record);
    this.reserved = reserved;
    const isGrouped = record.group !== undefined;
    this.#rank = isGrouped ? RANK_OF_GROUPED : 0;
    this.job.status = 'waiting';
    this.job.position = { rank: this.#rank, order: UNKNOWN };
    if (isGrouped) this.job.groupPosition = { rank: 0, order: UNKNOWN };
    this.#parts = JSON.stringify(writtenJob(this.job)).split(UNKNOWN_ORDER);
    this.job.status = undefined;
    this.job.position = undefined;
    this.job.groupPosition = undefined;
  }

  /** Whether the job, which has its place, is as it was foreseen. */
  is(job: StoredJob): boolean {
    const { status, rank, order, groupPosition } = job;
    if (job !== this.job || status !== 'waiting' || rank !== this.#rank) return false;
    if ((groupPosition?.rank ?? 0) !== 0 || (groupPosition?.order ?? 0) < 0) return false;
    const [reserved, inGroup] = this.reserved ?? [order, groupPosition?.order];
    return order === reserved && groupPosition?.order === inGroup;
  }

  /** Its record. */
  text(orders: Orders): string {
    return this.#parts.reduce((text, part, index) => {
      return `${text}"order":${orders[index - 1]}${part}`;
    });
  }
}
