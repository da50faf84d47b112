import type { DemandOperations } from '../../../../../application/operations/demand-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { demandAnswer, totalDemandAnswer } from '../schemas/demand-answers.ts';
import { demandQuery, queueDemandQuery } from '../schemas/query-schemas.ts';

/** What scales workers. */
export function demandRoutes(demands: DemandOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/queues/:queue/demand',
      operation: demands.ofQueue,
      tag: 'Queues',
      summary: 'Read how many jobs of a queue want workers',
      description:
        'The jobs that run, and those that a further worker could start. For what scales workers.',
      replies: { 200: jsonContent(demandAnswer, 'The demand of the queue') },
      errors: ['queue-not-found'],
      query: queueDemandQuery,
    }),
    route({
      method: 'GET',
      path: '/demand',
      operation: demands.ofQueues,
      tag: 'Queues',
      summary: 'Read how many jobs of several queues want workers',
      description:
        'The demand of a queue, added up over those queues that match and that the token may use. ' +
        'It is about a second old at most, and older with many thousands of queues.',
      replies: { 200: jsonContent(totalDemandAnswer, 'The demand of the queues together') },
      query: demandQuery,
    }),
  ];
}
