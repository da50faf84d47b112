import type { System } from '../../../../../application/system/system.ts';
import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { systemAnswer } from '../schemas/system-answers.ts';

/** The service as a whole. */
export function systemRoutes(system: System): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/system',
      access: 'read',
      operationId: 'readSystem',
      tag: 'Health',
      summary: 'Read what the store is, which replicas run, and what an operator should change',
      description:
        'Memory and latency of the store, lag and clock of each replica, and warnings with where ' +
        'to read on.',
      replies: { 200: jsonContent(systemAnswer, 'The service as a whole') },
      handle: async () => json(await system.read()),
    }),
  ];
}
