import type { BlockedJobOperations } from '../../../../../application/operations/blocked-job-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { blockedJobAnswer } from '../schemas/answer-shapes.ts';

/** Why jobs do not start. */
export function blockedJobRoutes(blockedJobs: BlockedJobOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/blocked',
      operation: blockedJobs.readWhy,
      tag: 'Jobs',
      summary: 'Read why a job does not start',
      description:
        'The first reason of its queue, its group or the jobs that it waits for. For a parent, ' +
        '`queue` and `id` name the job that keeps it waiting, at any depth below it.',
      replies: { 200: jsonContent(blockedJobAnswer, 'The reason, if there is one') },
      errors: ['job-not-found'],
    }),
  ];
}
