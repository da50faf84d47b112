import type { StoredJob } from '../state/stored-job.ts';
import { MOST_IN_SMALL } from './steps.ts';

/** How many records go with a job that is removed: each of its steps has one. */
export function recordsOf({ lastStep }: StoredJob): number {
  return 1 + lastStep;
}

/** Whether the jobs have so few records that a small step removes them. */
export function isSmallRemoval(jobs: readonly StoredJob[]): boolean {
  return jobs.reduce((records, job) => records + recordsOf(job), 0) <= MOST_IN_SMALL.jobs;
}
