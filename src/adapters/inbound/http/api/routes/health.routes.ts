import type { ServiceOperations } from '../../../../../application/operations/service-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { livenessAnswer, readinessAnswer } from '../schemas/answer-shapes.ts';

/** Probes: they need no token, and ignore any query parameters. */
export function healthRoutes(service: ServiceOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/health/live',
      operation: service.readLiveness,
      tag: 'Health',
      summary: 'Check whether the process answers',
      description: 'For a supervisor that restarts the process: it does not depend on the store.',
      replies: { 200: jsonContent(livenessAnswer, 'It does') },
      query: 'ignored',
    }),
    route({
      method: 'GET',
      path: '/health/ready',
      operation: service.readReadiness,
      tag: 'Health',
      summary: 'Check whether the replica does its work',
      description:
        'For a load balancer: 503 with the reason while the store is away, or while the replica ' +
        'ends.',
      replies: {
        200: jsonContent(readinessAnswer, 'It does'),
        503: jsonContent(readinessAnswer, 'It does not, for the reason in the answer'),
      },
      query: 'ignored',
      reply: (readiness) => {
        if (readiness.ready) return json({ status: 'ready' });
        const { reason } = readiness;
        return json({ status: 'unavailable', reason }, 503, { 'Retry-After': '1' });
      },
    }),
  ];
}
