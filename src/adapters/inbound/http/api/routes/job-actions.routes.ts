import type { JobActionOperations } from '../../../../../application/operations/job-action-operations.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { changedJobAnswer } from '../schemas/answer-shapes.ts';
import { jobCancellationBody, jobChangeBody, jobRetryBody } from '../schemas/body-formats.ts';

/** The actions of operators on single jobs. */
export function jobActionRoutes(actions: JobActionOperations): readonly Route[] {
  const action = {
    tag: 'Jobs',
    errors: ['job-not-found', 'job-conflict'],
  } as const;

  return [
    route({
      ...action,
      method: 'DELETE',
      path: '/queues/:queue/jobs/:jobId',
      operation: actions.remove,
      summary: 'Remove a job that is not active',
      description: 'A job that is active is 409: cancel it first.',
      replies: { 200: okContent('The job is removed') },
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/promote',
      operation: actions.promote,
      summary: 'End the delay of a job, so that it can start now',
      description: 'It starts in its turn, before later ones. A job that is not delayed is 409.',
      replies: { 200: okContent('The job waits') },
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/retry',
      operation: actions.retry,
      summary: 'Start a completed or failed job over',
      description:
        'Its attempts begin anew. The body may change its data, and options such as attempts, ' +
        'backoff and priority.',
      replies: { 200: okContent('The job waits') },
      body: jobRetryBody,
    }),
    route({
      ...action,
      method: 'POST',
      path: '/queues/:queue/jobs/:jobId/cancel',
      operation: actions.cancel,
      summary: 'Fail a job for good, and end its running call',
      description:
        'A waiting job fails at once; the call of an active one is ended. On request its children ' +
        'are cancelled too.',
      replies: { 200: okContent('The job has failed') },
      body: jobCancellationBody,
    }),
    route({
      ...action,
      method: 'PATCH',
      path: '/queues/:queue/jobs/:jobId',
      operation: actions.change,
      summary: 'Change the data, priority or delay of a job that has not started',
      description:
        'Only the fields that are given change. A job that has started, or has ended, is 409.',
      replies: { 200: jsonContent(changedJobAnswer, 'The job after the change') },
      body: jobChangeBody,
    }),
  ];
}
