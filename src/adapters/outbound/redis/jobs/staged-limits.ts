import type { NewJob } from '../../../../domain/jobs/job.ts';
import { isDeduplicated } from './add-call.ts';
import { placeOf } from './job-place.ts';

/** The most jobs that one run adds and that are turned into arguments without a pause: 10 ms of an idle store's time. */
const MOST_JOBS_PER_RUN = 1000;

/** The same of jobs that are more than plain, and of those of a flow. */
export const MOST_SPECIAL_JOBS_PER_RUN = 250;

/** The most characters of several jobs that one run stores: a few milliseconds of the store's time. */
export const LARGEST_RUN = 1_000_000;

/** Whether one run would hold up the store for too long, so the jobs are staged first. */
export function areToBeStaged(jobs: readonly NewJob[]): boolean {
  if (jobs.length <= MOST_SPECIAL_JOBS_PER_RUN) return false;
  return jobs.length > MOST_JOBS_PER_RUN || jobs.some(isSpecial);
}

function isSpecial(job: NewJob): boolean {
  return placeOf(job.opts) !== '' || isDeduplicated(job);
}
