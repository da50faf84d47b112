import type { TokenOperations } from '../../../../../application/operations/token-operations.ts';
import type { EventLoopTurns } from '../../messages/event-loop-turns.ts';
import { inPieces, jsonList } from '../../messages/json-list.ts';
import { jsonContent, okContent } from '../../messages/operation.ts';
import { json } from '../../messages/reply.ts';
import { route, type Route } from '../route.ts';
import {
  createdTokenAnswer,
  rotatedTokenAnswer,
  tokenAnswer,
  tokensPageAnswer,
} from '../schemas/access-answers.ts';
import { newTokenBody, rotationBody, tokenChangesBody } from '../schemas/body-formats.ts';
import { tokensPageQuery } from '../schemas/query-schemas.ts';

/** How many tokens of a list are written at once: each may have tens of kilobytes. */
const WRITTEN_AT_ONCE = 20;

/** The tokens with which clients call the API. */
export function tokenRoutes(tokens: TokenOperations, turns: EventLoopTurns): readonly Route[] {
  const token = {
    tag: 'Access',
    isConfidential: true,
  } as const;
  return [
    route({
      ...token,
      method: 'POST',
      path: '/tokens',
      operation: tokens.create,
      summary: 'Make a token, which may do no more than the one of the request',
      description:
        'The answer has the token, which is shown this once and stored by its hash alone.',
      replies: { 201: jsonContent(createdTokenAnswer, 'The token, which is shown this once') },
      errors: ['forbidden', 'too-many-tokens'],
      body: newTokenBody,
      reply: (created) => json(created, 201),
    }),
    route({
      ...token,
      method: 'GET',
      path: '/tokens',
      operation: tokens.list,
      summary: 'List the tokens, those of the configuration first',
      description:
        'Without the tokens themselves. Those of the environment and of files are listed, but ' +
        'changed where they come from.',
      replies: { 200: jsonContent(tokensPageAnswer, 'The tokens, without their secrets') },
      query: tokensPageQuery,
      reply: ({ total, tokens: listed }) =>
        jsonList(inPieces(listed, WRITTEN_AT_ONCE), (some) => ({ total, tokens: some }), turns),
    }),
    route({
      ...token,
      method: 'GET',
      path: '/tokens/:id',
      placeOf: named,
      operation: tokens.read,
      input: ({ parameters }) => named(parameters),
      summary: 'Read what a token allows and when it was used last',
      description: 'Without the token itself. Its last use is at most a minute old.',
      replies: { 200: jsonContent(tokenAnswer, 'The token, without its secret') },
      errors: ['token-not-found'],
    }),
    route({
      ...token,
      method: 'PATCH',
      path: '/tokens/:id',
      placeOf: named,
      operation: tokens.change,
      input: ({ parameters, body }) => ({ ...named(parameters), order: body }),
      summary: 'Change the name, the end or the addresses of a token',
      description:
        'Only the fields that are given change. Its rights and queues stay: make another token ' +
        'for others.',
      replies: { 200: jsonContent(tokenAnswer, 'The token as it is now') },
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      body: tokenChangesBody,
    }),
    route({
      ...token,
      method: 'POST',
      path: '/tokens/:id/rotate',
      placeOf: named,
      operation: tokens.rotate,
      input: ({ parameters, body }) => ({ ...named(parameters), order: body }),
      summary: 'Give a token a new secret; the old one works until the overlap ends',
      description:
        'The answer has the new token, which is shown this once. Id, rights and history stay.',
      replies: { 200: jsonContent(rotatedTokenAnswer, 'The token, which is shown this once') },
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      body: rotationBody,
    }),
    route({
      ...token,
      method: 'DELETE',
      path: '/tokens/:id',
      placeOf: named,
      operation: tokens.remove,
      input: ({ parameters }) => named(parameters),
      summary: 'Revoke a token, and those that it made, on all replicas, with their streams',
      description:
        'Sessions that were opened with it end too. Other replicas follow within seconds.',
      replies: { 200: okContent('The token is revoked') },
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
    }),
  ];
}

/** Names the token of a path as operations do. */
function named({ id = '' }: { readonly id?: string }): { readonly tokenId: string } {
  return { tokenId: id };
}
