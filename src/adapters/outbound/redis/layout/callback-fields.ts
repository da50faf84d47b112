import type { Job } from '../../../../domain/jobs/job.ts';

/**
 * The field of a job's hash about its latest end that a callback followed: which one it was, from 1, a colon, and when
 * (epoch ms).
 */
export const CALLED_BACK = 'jobgate:called-back';

/** The value of the field; undefined without one, or when it cannot be read. */
export function readCalledBack(text: string | undefined): Job['calledBack'] | undefined {
  const [, run, at] = /^(\d+):(\d+)$/.exec(text ?? '') ?? [];
  return run === undefined || at === undefined ? undefined : { run: Number(run), at: Number(at) };
}
