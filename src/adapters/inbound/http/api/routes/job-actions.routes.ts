import type { JobActions } from '../../../../../application/jobs/job-actions.ts';
import { okContent } from '../../messages/operation.ts';
import { OK } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { jobRetryBody } from '../schemas/body-formats.ts';

/** What operators do to single jobs. */
export function jobActionRoutes(actions: JobActions): readonly Route[] {
  const action = {
    auth: 'api',
    tag: 'Jobs',
    errors: ['job-not-found', 'job-conflict'],
  } as const;

  return [
    route({
      ...action,
      method: 'DELETE',
      path: '/queues/:queue/jobs/:jobId',
      operationId: 'removeJob',
      summary: 'Remove a job that is not active',
      replies: { 200: okContent('The job is removed') },
      handle: async ({ parameters: { queue, jobId } }) => {
        await actions.remove(queue, jobId);
        return OK;
      },
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/promote',
      operationId: 'promoteJob',
      summary: 'Let a delayed job start now',
      replies: { 200: okContent('The job waits') },
      handle: async ({ parameters: { queue, jobId } }) => {
        await actions.promote(queue, jobId);
        return OK;
      },
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/retry',
      operationId: 'retryJob',
      summary: 'Let a job that completed or failed start over',
      replies: { 200: okContent('The job waits') },
      body: jobRetryBody,
      handle: async ({ parameters: { queue, jobId }, body }) => {
        await actions.retry(queue, jobId, body);
        return OK;
      },
    }),
  ];
}
