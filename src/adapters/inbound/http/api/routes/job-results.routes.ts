import type { JobResultOperations } from '../../../../../application/operations/job-result-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { endedJobAnswer, unendedJobAnswer } from '../schemas/answer-shapes.ts';
import { jobResultQuery } from '../schemas/query-schemas.ts';

/** The results of jobs. */
export function jobResultRoutes(results: JobResultOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/result',
      operation: results.wait,
      tag: 'Jobs',
      summary: 'Wait for the end of a job',
      description:
        'Answers as soon as the job has ended, or with 202 when the time to wait is over: then ' +
        'call again.',
      replies: {
        200: jsonContent(endedJobAnswer, 'The job has ended'),
        202: jsonContent(unendedJobAnswer, 'The time is up, and the job has not ended'),
      },
      errors: ['job-not-found'],
      query: jobResultQuery,
      reply: ({ hasEnded, result }) => json(result, hasEnded ? 200 : 202),
    }),
  ];
}
