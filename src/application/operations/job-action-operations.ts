import { shownTo } from '../../domain/access/visible.ts';
import type { JobCancellationInput } from '../../domain/jobs/job-cancellation.ts';
import type { JobChangeInput } from '../../domain/jobs/job-change.ts';
import { jobJson } from '../../domain/jobs/job-json.ts';
import type { JobRetryInput } from '../../domain/jobs/job-retry.ts';
import type { JobActions } from '../jobs/job-actions.ts';
import type { OnJob, Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

/** The actions of operators on single jobs. */
export function jobActionOperations(actions: JobActions, queuePrefix: string) {
  return {
    remove: operation({
      id: 'removeJob',
      access: 'operate',
      action: 'job.remove',
      report: { line: 'Job removed by a client' },
      perform: ({ queue, jobId }: OnJob) => actions.remove(queue, jobId),
    }),
    promote: operation({
      id: 'promoteJob',
      access: 'operate',
      action: 'job.promote',
      report: { line: 'Job promoted by a client' },
      perform: ({ queue, jobId }: OnJob) => actions.promote(queue, jobId),
    }),
    retry: operation({
      id: 'retryJob',
      access: 'operate',
      action: 'job.retry',
      report: { line: 'Job retried by a client' },
      perform: ({ queue, jobId, order }: OnJob & Ordered<JobRetryInput>) =>
        actions.retry(queue, jobId, order),
    }),
    cancel: operation({
      id: 'cancelJob',
      access: 'operate',
      action: 'job.cancel',
      report: { line: 'Job cancelled by a client' },
      perform: ({ queue, jobId, order }: OnJob & Ordered<JobCancellationInput>) =>
        actions.cancel(queue, jobId, order),
    }),
    change: operation({
      id: 'changeJob',
      access: 'operate',
      action: 'job.change',
      report: { line: 'Job changed by a client' },
      perform: ({ queue, jobId, order }: OnJob & Ordered<JobChangeInput>) =>
        actions.change(queue, jobId, order),
      view: (job, caller) => shownTo(caller, jobJson(job, queuePrefix)),
    }),
  };
}

export type JobActionOperations = ReturnType<typeof jobActionOperations>;
