import type { StoredJob } from '../state/stored-job.ts';

/** How many records go with a job that is removed: each of its steps has one. */
export function recordsOf({ lastStep }: Pick<StoredJob, 'lastStep'>): number {
  return 1 + lastStep;
}

/** How many records go with some jobs. */
export function recordsOfAll(jobs: readonly StoredJob[]): number {
  return jobs.reduce((records, job) => records + recordsOf(job), 0);
}
