import {
  newTokenShape,
  tokenChangesShape,
  rotationShape,
} from '../../domain/access/access-token.ts';
import { object, required, integer, listOf, string } from '../../domain/values/shape.ts';
import { type AccessTokens, createdTokenShape, listedTokenShape } from '../access/access-tokens.ts';
import { place, withOptionalOrder, withOrder } from './input.ts';
import { operation } from './operation.ts';
import { pageOf } from './options.ts';
import { answers, done } from './out.ts';

/** As many patterns as a token may have take less, even if the JSON text writes each character as an escape of six. */
const MAX_TOKEN_BODY = 131_072;

const ofToken = { tokenId: place() };

/** The tokens with which clients call the service. */
export function tokenOperations(tokens: AccessTokens) {
  const terms = { access: 'tokens', needsFreshSession: true } as const;
  const fields = (_: unknown, { tokenId }: { readonly tokenId: string }) => ({
    token: tokenId,
  });
  return {
    createToken: operation({
      ...terms,
      action: 'token.create',
      summary: 'Make a token, which may do no more than the one of the request',
      description:
        'The answer has the token, which is shown this once and stored by its hash alone.',
      in: withOrder(newTokenShape, 'a token', { most: MAX_TOKEN_BODY }),
      out: answers(createdTokenShape, 'The token, which is shown this once'),
      errors: ['forbidden', 'too-many-tokens'],
      perform: ({ order }, { caller }) => tokens.create(order, caller),
      report: {
        line: 'Token made',
        fields: ({ id }) => ({ token: id }),
        tokenMade: ({ id }) => id,
      },
    }),
    listTokens: operation({
      ...terms,
      summary: 'List the tokens, those of the configuration first',
      description:
        'Without the tokens themselves. Those of the environment and of files are listed, but ' +
        'changed where they come from.',
      in: pageOf('tokens', 100),
      out: answers(
        object('TokensPage', {
          total: required(integer(0), 'The number of tokens on all pages together'),
          tokens: required(listOf(listedTokenShape), 'The tokens'),
        }),
        'The tokens, without their secrets',
      ),
      perform: (page) => tokens.list(page),
    }),
    readToken: operation({
      ...terms,
      summary: 'Read what a token allows and when it was used last',
      description: 'Without the token itself. Its last use is at most a minute old.',
      in: ofToken,
      out: answers(listedTokenShape, 'The token, without its secret'),
      errors: ['token-not-found'],
      perform: ({ tokenId }) => tokens.read(tokenId),
    }),
    changeToken: operation({
      ...terms,
      action: 'token.change',
      summary: 'Change the name, the end or the addresses of a token',
      description:
        'Only the fields that are given change. Its rights and queues stay: make another token ' +
        'for others.',
      in: {
        ...ofToken,
        ...withOptionalOrder(tokenChangesShape, 'what to change', { most: MAX_TOKEN_BODY }),
      },
      out: answers(listedTokenShape, 'The token as it is now'),
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      perform: ({ tokenId, order }, { caller }) => tokens.change(tokenId, order, caller),
      report: { line: 'Token changed', fields },
    }),
    rotateToken: operation({
      ...terms,
      action: 'token.rotate',
      summary: 'Give a token a new secret; the old one works until the overlap ends',
      description:
        'The answer has the new token, which is shown this once. Id, rights and history stay.',
      in: { ...ofToken, ...withOptionalOrder(rotationShape, 'the overlap') },
      out: answers(
        object('RotatedToken', {
          token: required(string, 'The token with its new secret, which is shown this once'),
        }),
        'The token, which is shown this once',
      ),
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      perform: async ({ tokenId, order }, { caller }) => ({
        token: await tokens.rotate(tokenId, order, caller),
      }),
      report: { line: 'Token rotated', fields },
    }),
    removeToken: operation({
      ...terms,
      action: 'token.remove',
      summary: 'Revoke a token, and those that it made, on all replicas, with their streams',
      description:
        'Sessions that were opened with it end too. Other replicas follow within seconds.',
      in: ofToken,
      out: done('The token is revoked'),
      errors: ['token-not-found', 'token-fixed', 'forbidden'],
      perform: ({ tokenId }, { caller }) => tokens.remove(tokenId, caller),
      report: { line: 'Token revoked', fields },
    }),
  };
}
