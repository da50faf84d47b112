import type { BlockedJobs } from '../jobs/blocked-jobs.ts';
import { blockedJobAnswer } from './answers/answer-shapes.ts';
import { onJob } from './in-queue.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** Why jobs do not start. */
export function blockedJobOperations(blockedJobs: BlockedJobs) {
  return {
    readWhy: operation({
      id: 'readWhyJobIsBlocked',
      access: 'read',
      summary: 'Read why a job does not start',
      description:
        'The first reason of its queue, its group or the jobs that it waits for. For a parent, ' +
        '`queue` and `id` name the job that keeps it waiting, at any depth below it.',
      in: onJob,
      out: answers(blockedJobAnswer, 'The reason, if there is one'),
      errors: ['job-not-found'],
      perform: async ({ queue, jobId }, { caller }) => ({
        blocked: (await blockedJobs.reason(queue, jobId, caller.onlyQueues)) ?? null,
      }),
    }),
  };
}

export type BlockedJobOperations = ReturnType<typeof blockedJobOperations>;
