import type { JobActions } from '../../../../../application/jobs/job-actions.ts';
import { jobJson } from '../../../../../domain/jobs/job-json.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { shownTo } from '../shown-values.ts';
import { changedJobAnswer } from '../schemas/answer-shapes.ts';
import { jobCancellationBody, jobChangeBody, jobRetryBody } from '../schemas/body-formats.ts';

/** The actions of operators on single jobs. */
export function jobActionRoutes(actions: JobActions, queuePrefix: string): readonly Route[] {
  const action = {
    access: 'operate',
    tag: 'Jobs',
    errors: ['job-not-found', 'job-conflict'],
  } as const;

  return [
    route({
      ...action,
      method: 'DELETE',
      path: '/queues/:queue/jobs/:jobId',
      operationId: 'removeJob',
      action: 'job.remove',
      summary: 'Remove a job that is not active',
      description: 'A job that is active is 409: cancel it first.',
      replies: { 200: okContent('The job is removed') },
      handle: async ({ parameters: { queue, jobId } }) => {
        await actions.remove(queue, jobId);
        return { line: 'Job removed by a client', reply: OK };
      },
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/promote',
      operationId: 'promoteJob',
      action: 'job.promote',
      summary: 'End the delay of a job, so that it can start now',
      description: 'It starts in its turn, before later ones. A job that is not delayed is 409.',
      replies: { 200: okContent('The job waits') },
      handle: async ({ parameters: { queue, jobId } }) => {
        await actions.promote(queue, jobId);
        return { line: 'Job promoted by a client', reply: OK };
      },
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/retry',
      operationId: 'retryJob',
      action: 'job.retry',
      summary: 'Start a completed or failed job over',
      description:
        'Its attempts begin anew. The body may change its data, and options such as attempts, ' +
        'backoff and priority.',
      replies: { 200: okContent('The job waits') },
      body: jobRetryBody,
      handle: async ({ parameters: { queue, jobId }, body }) => {
        await actions.retry(queue, jobId, body);
        return { line: 'Job retried by a client', reply: OK };
      },
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/cancel',
      operationId: 'cancelJob',
      action: 'job.cancel',
      summary: 'Fail a job for good, and end its running call',
      description:
        'A waiting job fails at once; the call of an active one is ended. On request its children ' +
        'are cancelled too.',
      replies: { 200: okContent('The job has failed') },
      body: jobCancellationBody,
      handle: async ({ parameters: { queue, jobId }, body }) => {
        await actions.cancel(queue, jobId, body);
        return { line: 'Job cancelled by a client', reply: OK };
      },
    }),
    route({
      ...action,
      method: 'PATCH',
      path: '/queues/:queue/jobs/:jobId',
      operationId: 'changeJob',
      action: 'job.change',
      summary: 'Change the data, priority or delay of a job that has not started',
      description:
        'Only the fields that are given change. A job that has started, or has ended, is 409.',
      replies: { 200: jsonContent(changedJobAnswer, 'The job after the change') },
      body: jobChangeBody,
      handle: async ({ parameters: { queue, jobId }, body, caller }) => {
        const job = await actions.change(queue, jobId, body);
        const reply = json(shownTo(caller, jobJson(job, queuePrefix)));
        return { line: 'Job changed by a client', reply };
      },
    }),
  ];
}
