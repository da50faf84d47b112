import type { AddedJob, NewJob } from '../../domain/jobs/job.ts';

/**
 * How many of the jobs were not there before. An id that a client chose may be that of a job that exists, which is
 * then older than the call, or of an earlier one of the same call.
 *
 * @param calledAt when they were added (epoch ms).
 */
export function addedJobs(
  jobs: readonly NewJob[],
  added: readonly AddedJob[],
  calledAt: number,
): number {
  let count = 0;
  let chosen: Set<string> | undefined;
  jobs.forEach(({ opts }, index) => {
    if (added[index]?.deduplicated === true) return;
    if (opts.jobId === undefined) {
      count += 1;
      return;
    }
    const { timestamp = -Infinity } = added[index] ?? {};
    if (timestamp >= calledAt) (chosen ??= new Set()).add(opts.jobId);
  });
  return count + (chosen?.size ?? 0);
}
