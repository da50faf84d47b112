import type { ServiceOperations } from '../../../../../application/operations/service-operations.ts';
import { jsonContent } from '../../messages/operation.ts';
import { route, type Route } from '../route.ts';
import { whoamiAnswer } from '../schemas/access-answers.ts';

/** What a client may do with its token. */
export function whoamiRoutes(service: ServiceOperations): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/whoami',
      isConfidential: true,
      operation: service.readOwnAccess,
      tag: 'Access',
      summary: 'Read what the token of the request allows',
      description: 'Its name, rights and queues. Any valid token may ask.',
      replies: { 200: jsonContent(whoamiAnswer, 'The token') },
    }),
  ];
}
