import type { NewToken, Rotation, TokenChanges } from '../../domain/access/access-token.ts';
import type { Page } from '../../domain/values/page.ts';
import type { AccessTokens } from '../access/access-tokens.ts';
import type { Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

interface OfToken {
  readonly tokenId: string;
}

/** The tokens with which clients call the service. */
export function tokenOperations(tokens: AccessTokens) {
  const terms = { access: 'tokens', needsFreshSession: true } as const;
  const fields = (_: unknown, { tokenId }: OfToken): { readonly token: string } => ({
    token: tokenId,
  });
  return {
    create: operation({
      ...terms,
      id: 'createToken',
      action: 'token.create',
      perform: ({ order }: Ordered<NewToken>, { caller }) => tokens.create(order, caller),
      report: {
        line: 'Token made',
        fields: ({ id }) => ({ token: id }),
        tokenMade: ({ id }) => id,
      },
    }),
    list: operation({
      ...terms,
      id: 'listTokens',
      perform: (page: Page) => tokens.list(page),
    }),
    read: operation({
      ...terms,
      id: 'readToken',
      perform: ({ tokenId }: OfToken) => tokens.read(tokenId),
    }),
    change: operation({
      ...terms,
      id: 'changeToken',
      action: 'token.change',
      perform: ({ tokenId, order }: OfToken & Ordered<TokenChanges>, { caller }) =>
        tokens.change(tokenId, order, caller),
      report: { line: 'Token changed', fields },
    }),
    rotate: operation({
      ...terms,
      id: 'rotateToken',
      action: 'token.rotate',
      perform: async ({ tokenId, order }: OfToken & Ordered<Rotation>, { caller }) => ({
        token: await tokens.rotate(tokenId, order, caller),
      }),
      report: { line: 'Token rotated', fields },
    }),
    remove: operation({
      ...terms,
      id: 'removeToken',
      action: 'token.remove',
      perform: ({ tokenId }: OfToken, { caller }) => tokens.remove(tokenId, caller),
      report: { line: 'Token revoked', fields },
    }),
  };
}

export type TokenOperations = ReturnType<typeof tokenOperations>;
