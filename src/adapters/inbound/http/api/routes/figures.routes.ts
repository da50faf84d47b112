import type { Figures } from '../../../../../application/figures/figures.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { figuresAnswer } from '../schemas/figure-answers.ts';
import { figuresQuery } from '../schemas/query-schemas.ts';

/** What happened in queues over time. */
export function figureRoutes(figures: Figures): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/figures',
      access: 'read',
      operationId: 'readQueueFigures',
      tag: 'Queues',
      summary: 'Read what happened in a queue by minute or hour',
      description:
        'Series of one value a step: counts, levels, and how long jobs waited and calls took. ' +
        'Null stands for a step that nobody counted.',
      replies: { 200: jsonContent(figuresAnswer, 'The figures, over all replicas') },
      errors: ['queue-not-found'],
      query: figuresQuery,
      handle: async ({ parameters: { queue }, query }) => json(await figures.ofQueue(queue, query)),
    }),
    route({
      method: 'GET',
      path: '/figures',
      access: 'read',
      operationId: 'readFigures',
      tag: 'Queues',
      summary: 'Read what happened in all queues together by minute or hour',
      description: 'The series of a queue, added up over those queues that the token may use.',
      replies: { 200: jsonContent(figuresAnswer, 'The figures, over all replicas') },
      query: figuresQuery,
      handle: async ({ query, caller }) => json(await figures.ofAll(query, caller.onlyQueues)),
    }),
  ];
}
