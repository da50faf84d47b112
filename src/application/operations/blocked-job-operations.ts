import { object, required, nullable } from '../../domain/values/shape.ts';
import { blockedShape } from '../../domain/workers/blocked.ts';
import type { BlockedJobs } from '../jobs/blocked-jobs.ts';
import { onJob } from './in-queue.ts';
import { operation } from './operation.ts';
import { answers } from './out.ts';

/** Why jobs do not start. */
export function blockedJobOperations(blockedJobs: BlockedJobs) {
  return {
    readWhyJobIsBlocked: operation({
      access: 'read',
      summary: 'Read why a job does not start',
      description:
        'The first reason of its queue, its group or the jobs that it waits for. For a parent, ' +
        '`queue` and `id` name the job that keeps it waiting, at any depth below it.',
      in: onJob,
      out: answers(
        object('BlockedJob', {
          blocked: required(
            nullable(blockedShape),
            'Why the job does not start; null when it starts in its turn, runs or has ended',
          ),
        }),
        'The reason, if there is one',
      ),
      errors: ['job-not-found'],
      perform: async ({ queue, jobId }, { caller }) => ({
        blocked: (await blockedJobs.reason(queue, jobId, caller.onlyQueues)) ?? null,
      }),
    }),
  };
}
