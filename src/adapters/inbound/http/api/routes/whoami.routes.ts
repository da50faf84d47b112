import { jsonContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import { whoamiAnswer } from '../schemas/access-answers.ts';

/** What a client may do with its token. */
export function whoamiRoutes(): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/whoami',
      isConfidential: true,
      access: 'any-token',
      operationId: 'readOwnAccess',
      tag: 'Access',
      summary: 'Read what the token of the request allows',
      description: 'Its name, rights and queues. Any valid token may ask.',
      replies: { 200: jsonContent(whoamiAnswer, 'The token') },
      handle: ({ caller: { name, rights, queues, expires, via } }) =>
        json({ name, rights, queues, expires, via }),
    }),
  ];
}
