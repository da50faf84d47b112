import { recordsOf } from '../../../../domain/transitions/removal.ts';
import type { StoredJob } from '../state/stored-job.ts';
import { MOST_IN_SMALL, type Steps } from './steps.ts';

/** Whether the jobs have so few records that a small step removes them. */
export function isSmallRemoval(jobs: readonly StoredJob[]): boolean {
  let records = 0;
  return !jobs.some((job) => (records += recordsOf(job)) > MOST_IN_SMALL.jobs);
}

/** Removes jobs in one step. If they have many records, it waits for its turn among large requests. */
export function removing<Answer>(
  steps: Steps,
  jobs: readonly StoredJob[],
  step: () => Answer,
): Promise<Answer> {
  return isSmallRemoval(jobs) ? steps.small(step) : steps.piece(step);
}
