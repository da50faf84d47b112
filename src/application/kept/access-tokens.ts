import { MOST_TOKENS, type AccessToken } from '../../domain/access/access-token.ts';
import {
  collectionNatures,
  type CollectionPort,
  type FollowedRecords,
} from '../ports/collection-port.ts';
import type { Natures } from '../ports/nature.ts';
import type { Collection } from './collection.ts';

/** The tokens that were made through the API, by their ids. */
export type KeptAccessTokens = CollectionPort<AccessToken> & FollowedRecords<AccessToken>;

export const ACCESS_TOKENS: Collection<AccessToken> = {
  kind: 'token',
  key: 'tokens',
  changes: 'token-changes',
  bound: { most: MOST_TOKENS, of: 'tokens' },
};

export const ACCESS_TOKEN_NATURES: Natures<KeptAccessTokens> = {
  ...collectionNatures('enlarges'),
  changedSince: 'looks',
};
