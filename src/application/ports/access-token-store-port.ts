import type { AccessToken } from '../../domain/access/access-token.ts';

/** The tokens of the store at some moment. */
export interface StoredTokens {
  /** Changes with every modification; empty as long as no token was ever stored. */
  readonly version: string;
  readonly tokens: readonly AccessToken[];
}

/** When, and from which address, a token was last used. */
export interface TokenUse {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  readonly address: string;
}

/**
 * Stores the tokens created through the API; this record is authoritative, and every replica applies it. Methods throw
 * DomainError `store-unavailable` when the store cannot be reached.
 */
export interface AccessTokenStorePort {
  /** Stores a token with a new id. @returns false when the id already exists. */
  create(token: AccessToken): Promise<boolean>;

  /** Replaces the token. @returns false when it has changed in the meantime, or is gone. */
  replace(before: AccessToken, after: AccessToken): Promise<boolean>;

  /** @returns false when it did not exist. */
  remove(id: string): Promise<boolean>;

  /** All tokens; undefined when nothing has changed since that version. */
  changedSince(version: string | undefined): Promise<StoredTokens | undefined>;

  /** Stores the latest use of each token, except removed ones. The ids of configured tokens contain a colon. */
  recordUses(uses: readonly TokenUse[]): Promise<void>;

  /** The latest use of each token that has been used. */
  uses(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>>;
}
