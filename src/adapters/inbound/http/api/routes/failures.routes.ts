import type { Failures } from '../../../../../application/jobs/failures.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { failuresAnswer } from '../schemas/answer-shapes.ts';
import { failuresQuery } from '../schemas/query-schemas.ts';

/** Why jobs failed. */
export function failureRoutes(failures: Failures): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/failures',
      auth: 'api',
      operationId: 'readFailures',
      tag: 'Queues',
      summary: 'Group the latest failed jobs of a queue by their causes',
      replies: { 200: jsonContent(failuresAnswer, 'The causes') },
      query: failuresQuery,
      handle: async ({ parameters: { queue }, query: { window } }) =>
        json(await failures.report(queue, window)),
    }),
  ];
}
