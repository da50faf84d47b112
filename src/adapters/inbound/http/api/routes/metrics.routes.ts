import type { ServiceOperations } from '../../../../../application/operations/service-operations.ts';
import { TEXT_TYPE } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';

/** Metrics for a monitoring system, which may add query parameters of its own. */
export function metricsRoutes(service: ServiceOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/metrics',
      operation: service.readMetrics,
      tag: 'Metrics',
      summary: 'Read the metrics of the replica',
      description: 'In the text format of Prometheus, of this replica alone.',
      replies: {
        200: {
          description: 'The text format of Prometheus',
          contentType: TEXT_TYPE,
          schema: { type: 'string' },
        },
      },
      query: 'ignored',
      reply: ({ contentType, text }) => ({ status: 200, contentType, body: text }),
    }),
  ];
}
