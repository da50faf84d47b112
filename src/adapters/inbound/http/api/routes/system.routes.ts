import type { ServiceOperations } from '../../../../../application/operations/service-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { systemAnswer } from '../schemas/system-answers.ts';

/** The service as a whole. */
export function systemRoutes(service: ServiceOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/system',
      operation: service.readSystem,
      tag: 'Health',
      summary: 'Read what the store is, which replicas run, and what an operator should change',
      description:
        'Memory and latency of the store, lag and clock of each replica, and warnings with where ' +
        'to read on.',
      replies: { 200: jsonContent(systemAnswer, 'The service as a whole') },
    }),
  ];
}
