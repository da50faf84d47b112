import type { FigureOperations } from '../../../../../application/operations/figure-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { figuresAnswer } from '../schemas/figure-answers.ts';
import { figuresQuery } from '../schemas/query-schemas.ts';

/** What happened in queues over time. */
export function figureRoutes(figures: FigureOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/figures',
      operation: figures.ofQueue,
      tag: 'Queues',
      summary: 'Read what happened in a queue by minute or hour',
      description:
        'Series of one value a step: counts, levels, and how long jobs waited and calls took. ' +
        'Null stands for a step that nobody counted.',
      replies: { 200: jsonContent(figuresAnswer, 'The figures, over all replicas') },
      errors: ['queue-not-found'],
      query: figuresQuery,
    }),
    route({
      method: 'GET',
      path: '/figures',
      operation: figures.ofAll,
      tag: 'Queues',
      summary: 'Read what happened in all queues together by minute or hour',
      description: 'The series of a queue, added up over those queues that the token may use.',
      replies: { 200: jsonContent(figuresAnswer, 'The figures, over all replicas') },
      query: figuresQuery,
    }),
  ];
}
