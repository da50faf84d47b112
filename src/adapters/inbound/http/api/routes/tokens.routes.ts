import type { AccessTokens } from '../../../../../application/access/access-tokens.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json, OK } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import {
  createdTokenAnswer,
  rotatedTokenAnswer,
  tokenAnswer,
  tokensPageAnswer,
} from '../schemas/access-answers.ts';
import { newTokenBody, rotationBody, tokenChangesBody } from '../schemas/body-formats.ts';
import { tokensPageQuery } from '../schemas/query-schemas.ts';

/** The tokens with which clients call the API. */
export function tokenRoutes(tokens: AccessTokens): readonly Route[] {
  const token = {
    access: 'tokens',
    tag: 'Access',
    needsFreshSession: true,
    isConfidential: true,
  } as const;
  return [
    route({
      ...token,
      method: 'POST',
      path: '/tokens',
      operationId: 'createToken',
      action: 'token.create',
      summary: 'Make a token, which may do no more than the one of the request',
      description:
        'The answer has the token, which is shown this once and stored by its hash alone.',
      replies: { 201: jsonContent(createdTokenAnswer, 'The token, which is shown this once') },
      errors: ['forbidden', 'too-many-tokens'],
      body: newTokenBody,
      handle: async ({ body, caller }) => {
        const created = await tokens.create(body, caller);
        const { id } = created;
        return { line: 'Token made', fields: { token: id }, token: id, reply: json(created, 201) };
      },
    }),
    route({
      ...token,
      method: 'GET',
      path: '/tokens',
      operationId: 'listTokens',
      summary: 'List the tokens, those of the configuration first',
      description:
        'Without the tokens themselves. Those of the environment and of files are listed, but ' +
        'changed where they come from.',
      replies: { 200: jsonContent(tokensPageAnswer, 'The tokens, without their secrets') },
      query: tokensPageQuery,
      handle: async ({ query }) => json(await tokens.list(query)),
    }),
    route({
      ...token,
      method: 'GET',
      path: '/tokens/:id',
      operationId: 'readToken',
      summary: 'Read what a token allows and when it was used last',
      description: 'Without the token itself. Its last use is at most a minute old.',
      replies: { 200: jsonContent(tokenAnswer, 'The token, without its secret') },
      errors: ['token-not-found'],
      handle: async ({ parameters }) => json(await tokens.read(parameters.id)),
    }),
    route({
      ...token,
      method: 'PATCH',
      path: '/tokens/:id',
      operationId: 'changeToken',
      action: 'token.change',
      summary: 'Change the name, the end or the addresses of a token',
      description:
        'Only the fields that are given change. Its rights and queues stay: make another token ' +
        'for others.',
      replies: { 200: jsonContent(tokenAnswer, 'The token as it is now') },
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      body: tokenChangesBody,
      handle: async ({ parameters: { id }, body, caller }) => {
        const changed = await tokens.change(id, body, caller);
        return { line: 'Token changed', fields: { token: id }, reply: json(changed) };
      },
    }),
    route({
      ...token,
      method: 'POST',
      path: '/tokens/:id/rotate',
      operationId: 'rotateToken',
      action: 'token.rotate',
      summary: 'Give a token a new secret; the old one works until the overlap ends',
      description:
        'The answer has the new token, which is shown this once. Id, rights and history stay.',
      replies: { 200: jsonContent(rotatedTokenAnswer, 'The token, which is shown this once') },
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      body: rotationBody,
      handle: async ({ parameters: { id }, body, caller }) => {
        const token = await tokens.rotate(id, body, caller);
        return { line: 'Token rotated', fields: { token: id }, reply: json({ token }) };
      },
    }),
    route({
      ...token,
      method: 'DELETE',
      path: '/tokens/:id',
      operationId: 'removeToken',
      action: 'token.remove',
      summary: 'Revoke a token, and those that it made, on all replicas, with their streams',
      description:
        'Sessions that were opened with it end too. Other replicas follow within seconds.',
      replies: { 200: okContent('The token is revoked') },
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      handle: async ({ parameters: { id }, caller }) => {
        await tokens.remove(id, caller);
        return { line: 'Token revoked', fields: { token: id }, reply: OK };
      },
    }),
  ];
}
