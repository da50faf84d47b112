import { shownTo } from '../../domain/access/visible.ts';
import { jobCancellationShape } from '../../domain/jobs/job-cancellation.ts';
import { jobChangeShape } from '../../domain/jobs/job-change.ts';
import { jobJson } from '../../domain/jobs/job-json.ts';
import { jobRetryShape } from '../../domain/jobs/job-retry.ts';
import type { JobActions } from '../jobs/job-actions.ts';
import { changedJobAnswer } from './answers/job-answers.ts';
import { onJob } from './in-queue.ts';
import { withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { textOption } from './options.ts';
import { oneOf, optional } from '../../domain/values/shape.ts';
import { done, answers } from './out.ts';

const acting = { access: 'operate', errors: ['job-not-found', 'job-conflict'] } as const;

/** The actions of operators on single jobs. */
export function jobActionOperations(actions: JobActions, queuePrefix: string) {
  return {
    removeJob: operation({
      ...acting,
      action: 'job.remove',
      summary: 'Remove a job that is not active',
      description: 'A job that is active is 409: cancel it first.',
      in: onJob,
      out: done('The job is removed'),
      perform: ({ queue, jobId }) => actions.remove(queue, jobId),
      report: { line: 'Job removed by a client' },
    }),
    promoteJob: operation({
      ...acting,
      action: 'job.promote',
      summary: 'End the delay of a job, so that it can start now',
      description: 'It starts in its turn, before later ones. A job that is not delayed is 409.',
      in: onJob,
      out: done('The job waits'),
      perform: ({ queue, jobId }) => actions.promote(queue, jobId),
      report: { line: 'Job promoted by a client' },
    }),
    retryJob: operation({
      ...acting,
      action: 'job.retry',
      summary: 'Start a completed or failed job over',
      description:
        'Its attempts begin anew. The body may change its data, and options such as attempts, ' +
        'backoff and priority.',
      in: { ...onJob, ...withOptionalOrder(jobRetryShape, 'options and data') },
      out: done('The job waits'),
      perform: ({ queue, jobId, order }) => actions.retry(queue, jobId, order),
      report: { line: 'Job retried by a client' },
    }),
    cancelJob: operation({
      ...acting,
      action: 'job.cancel',
      summary: 'Fail a job for good, and end its running call',
      description:
        'A waiting job fails at once; the call of an active one is ended. On request its children ' +
        'are cancelled too.',
      in: {
        ...onJob,
        children: textOption(
          optional(
            oneOf('cancel'),
            'Whether its children are cancelled too, as `children` of the body',
          ),
        ),
        ...withOptionalOrder(jobCancellationShape, 'a reason'),
      },
      out: done('The job has failed'),
      perform: ({ queue, jobId, children, order }) =>
        actions.cancel(queue, jobId, children === 'cancel' ? { ...order, children: true } : order),
      report: { line: 'Job cancelled by a client' },
    }),
    changeJob: operation({
      ...acting,
      action: 'job.change',
      summary: 'Change the data, priority or delay of a job that has not started',
      description:
        'Only the fields that are given change. A job that has started, or has ended, is 409.',
      in: { ...onJob, ...withOptionalOrder(jobChangeShape, 'changes') },
      out: answers(changedJobAnswer, 'The job after the change'),
      perform: ({ queue, jobId, order }) => actions.change(queue, jobId, order),
      view: (job, caller) => shownTo(caller, jobJson(job, queuePrefix)),
      report: { line: 'Job changed by a client' },
    }),
  };
}
