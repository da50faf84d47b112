import type { Position } from '../../../../domain/records/job-record.ts';
import type { JobList } from './job-list.ts';
import type { StoredJob } from './stored-job.ts';

/**
 * Finds the jobs that have their values among those that ended one way. Jobs end one behind the other, so the redacted
 * ones at the beginning are passed once, when the store was opened.
 */
export class UnredactedJobs {
  #from: Position | undefined;

  /** Up to `most` of them, the first to end first. */
  next(jobs: JobList, most: number): readonly StoredJob[] {
    const found: StoredJob[] = [];
    for (const job of jobs.onFrom(this.#from)) {
      if (found.length >= most) break;
      if (!job.isRedacted) found.push(job);
      else if (found.length === 0) this.#from = job.place;
    }
    return found;
  }
}
