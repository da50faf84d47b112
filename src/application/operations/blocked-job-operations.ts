import type { BlockedJobs } from '../jobs/blocked-jobs.ts';
import type { OnJob } from './in-queue.ts';
import { operation } from './operation.ts';

/** Why jobs do not start. */
export function blockedJobOperations(blockedJobs: BlockedJobs) {
  return {
    readWhy: operation({
      id: 'readWhyJobIsBlocked',
      access: 'read',
      perform: async ({ queue, jobId }: OnJob, { caller }) => ({
        blocked: (await blockedJobs.reason(queue, jobId, caller.onlyQueues)) ?? null,
      }),
    }),
  };
}

export type BlockedJobOperations = ReturnType<typeof blockedJobOperations>;
