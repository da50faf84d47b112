import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { writtenJob } from '../records/job-record.ts';
import { StoredJob } from './stored-job.ts';

/** Stands for an order that is not known yet. No order is a fraction. */
const UNKNOWN = 0.5;

/** The unknown order in the text of a record. Ids and names, which precede it, cannot contain it: their quotes are escaped. */
const UNKNOWN_ORDER = `"order":${UNKNOWN}`;

/** A job that is not there yet. Its record is known, except for its order among those that wait. */
export class ForeseenJob {
  readonly job: StoredJob;
  /** The order that was reserved for it, if any. */
  readonly order: number | undefined;
  readonly #before: string;
  readonly #behind: string;

  constructor(record: JobRecord, order: number | undefined) {
    this.job = StoredJob.of(record);
    this.order = order;
    this.job.status = 'waiting';
    this.job.order = UNKNOWN;
    const text = JSON.stringify(writtenJob(this.job));
    const place = text.indexOf(UNKNOWN_ORDER);
    this.#before = text.slice(0, place);
    this.#behind = text.slice(place + UNKNOWN_ORDER.length);
    this.job.status = undefined;
  }

  /** Whether the job is as it was foreseen. */
  is(job: StoredJob): boolean {
    const { status, rank, order } = job;
    return (
      job === this.job && status === 'waiting' && rank === 0 && order === (this.order ?? order)
    );
  }

  /** Its record. */
  text(order: number): string {
    return `${this.#before}"order":${order}${this.#behind}`;
  }
}
