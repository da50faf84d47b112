import type { FailureOperations } from '../../../../../application/operations/failure-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { failuresAnswer } from '../schemas/answer-shapes.ts';
import { recentFailuresAnswer } from '../schemas/figure-answers.ts';
import { failuresQuery, recentFailuresQuery } from '../schemas/query-schemas.ts';

/** Why jobs failed. */
export function failureRoutes(failures: FailureOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/failures',
      operation: failures.read,
      tag: 'Queues',
      summary: 'Group the latest failed jobs of a queue by their causes',
      description:
        'Numbers, ids and quoted parts of the reasons are masked, so that the same cause is ' +
        'counted once.',
      replies: { 200: jsonContent(failuresAnswer, 'The causes') },
      query: failuresQuery,
    }),
    route({
      method: 'GET',
      path: '/failures',
      operation: failures.readRecent,
      tag: 'Queues',
      summary: 'Group the jobs of all queues that failed of late by their causes',
      description: 'The answer is at most ten seconds old. `window` is how far back it looks.',
      replies: {
        200: jsonContent(recentFailuresAnswer, 'The causes, the most frequent one first'),
      },
      query: recentFailuresQuery,
    }),
  ];
}
