import { shownTo } from '../../domain/access/visible.ts';
import { hasEnded } from '../../domain/jobs/job-result.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import type { OnJob } from './in-queue.ts';
import { operation } from './operation.ts';

interface WaitInput extends OnJob {
  /** How long (ms) to wait for the end of the job. */
  readonly timeout: number;
}

/** The results of jobs. */
export function jobResultOperations(waits: JobWaits) {
  return {
    wait: operation({
      id: 'waitForResult',
      access: 'read',
      perform: ({ queue, jobId, timeout }: WaitInput, { ending }) =>
        waits.result(queue, jobId, timeout, ending()),
      view: (result, caller) => ({
        hasEnded: hasEnded(result),
        result: shownTo(caller, result),
      }),
    }),
  };
}

export type JobResultOperations = ReturnType<typeof jobResultOperations>;
