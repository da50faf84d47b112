import type { JobResults } from '../../../../../application/jobs/job-results.ts';
import { hasEnded } from '../../../../../domain/jobs/job-result.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { shownTo } from '../shown-values.ts';
import { endedJobAnswer, unendedJobAnswer } from '../schemas/answer-shapes.ts';
import { jobResultQuery } from '../schemas/query-schemas.ts';

/** The results of jobs. */
export function jobResultRoutes(results: JobResults): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/jobs/:jobId/result',
      access: 'read',
      operationId: 'waitForResult',
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
      handle: async ({ parameters: { queue, jobId }, query: { timeout }, ending, caller }) => {
        const result = await results.wait(queue, jobId, timeout, ending());
        return json(shownTo(caller, result), hasEnded(result) ? 200 : 202);
      },
    }),
  ];
}
