import type { JobRecord } from '../../../../domain/records/job-record.ts';
import { writtenJob } from '../records/job-record.ts';
import { StoredJob } from './stored-job.ts';

/** In place of an order that is not known yet: none is a fraction. */
const UNKNOWN = 0.5;

/** As the record of a job has it. The quotes in its id and its name, which come before it, have backslashes. */
const UNKNOWN_ORDER = `"order":${UNKNOWN}`;

/** A job before it is there, of which its record is known but for its order among those that wait. */
export class ForeseenJob {
  readonly job: StoredJob;
  /** Its order, where that is reserved. */
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

  /** Whether it became a job that is as it was foreseen. */
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
