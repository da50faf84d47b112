import type { Failures } from '../../../../../application/jobs/failures.ts';
import type { RecentFailures } from '../../../../../application/figures/recent-failures.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { failuresAnswer } from '../schemas/answer-shapes.ts';
import { recentFailuresAnswer } from '../schemas/figure-answers.ts';
import { failuresQuery, recentFailuresQuery } from '../schemas/query-schemas.ts';

/** Why jobs failed. */
export function failureRoutes(
  failures: Failures,
  recentFailures: RecentFailures,
): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/failures',
      access: 'read',
      operationId: 'readFailures',
      tag: 'Queues',
      summary: 'Group the latest failed jobs of a queue by their causes',
      description:
        'Numbers, ids and quoted parts of the reasons are masked, so that the same cause is ' +
        'counted once.',
      replies: { 200: jsonContent(failuresAnswer, 'The causes') },
      query: failuresQuery,
      handle: async ({ parameters: { queue }, query: { window } }) =>
        json(await failures.report(queue, window)),
    }),
    route({
      method: 'GET',
      path: '/failures',
      access: 'read',
      operationId: 'readRecentFailures',
      tag: 'Queues',
      summary: 'Group the jobs of all queues that failed of late by their causes',
      description: 'The answer is at most ten seconds old. `window` is how far back it looks.',
      replies: {
        200: jsonContent(recentFailuresAnswer, 'The causes, the most frequent one first'),
      },
      query: recentFailuresQuery,
      handle: async ({ query: { window, length }, caller }) =>
        json(await recentFailures.report(window, length, caller.mayUse)),
    }),
  ];
}
