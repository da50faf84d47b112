import type { JobHistory } from '../../../../domain/records/job-record.ts';
import { NOTHING_TO_WRITE } from '../records/changed-records.ts';
import { hasHistoryApart, writtenApart, writtenInline } from '../records/job-history.ts';
import type { WrittenJob } from '../records/job-record.ts';
import type { StoredJob } from './stored-job.ts';

/** The records of the histories of jobs of one queue. Most jobs never have one. */
export class StoredHistories {
  /** Those that were written into the records of their jobs by earlier versions, until these are written again. */
  readonly #inline = new Map<string, Readonly<JobHistory>>();
  /** The jobs that were removed and had one, until that is removed, too. */
  readonly #removed = new Set<string>();

  /** Takes the record of a job that has not ended. */
  restore(job: StoredJob, record: WrittenJob): void {
    const inline = writtenInline(record);
    this.#inline.delete(job.id);
    if (inline === undefined) return;
    this.#inline.set(job.id, inline);
    job.write({ hasHistory: true });
  }

  /** Whether the history of a job goes into a record of its own as soon as the record of the job is written. */
  isInline(id: string): boolean {
    return this.#inline.has(id);
  }

  remove({ id, hasHistory }: StoredJob): void {
    this.#inline.delete(id);
    if (hasHistory) this.#removed.add(id);
  }

  /**
   * The record as it is to be written, which is then taken as written; undefined when it is to be removed.
   *
   * @param job undefined when it is gone.
   */
  record(id: string, job: StoredJob | undefined): object | undefined {
    const inline = this.#inline.get(id);
    const wasStored = this.#removed.delete(id) || job?.hasHistory === true;
    this.#inline.delete(id);
    if (job === undefined) return undefined;
    if (!job.isWhole && inline === undefined) return NOTHING_TO_WRITE;
    const history = job.isWhole ? job.history : inline;
    job.write({ hasHistory: hasHistoryApart(job) });
    if (job.hasHistory) return history && writtenApart(history);
    return wasStored ? undefined : NOTHING_TO_WRITE;
  }
}
