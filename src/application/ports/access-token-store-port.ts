import type { AccessToken } from '../../domain/access/access-token.ts';

/** The tokens of the store at a moment. */
export interface StoredTokens {
  /** Another one after each change; empty while there never was a token. */
  readonly version: string;
  readonly tokens: readonly AccessToken[];
}

/** When and from where a token was used last. */
export interface TokenUse {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  readonly address: string;
}

/**
 * Stores the tokens that are made through the API; this record is the truth that every replica applies. Methods throw
 * DomainError `store-unavailable` when it cannot be reached.
 */
export interface AccessTokenStorePort {
  /** Stores a token whose id is new. @returns false when there is one of that id. */
  create(token: AccessToken): Promise<boolean>;

  /** Stores the token in place of what it was. @returns false when it is something else by now, or gone. */
  replace(before: AccessToken, after: AccessToken): Promise<boolean>;

  /** @returns false when there was none. */
  remove(id: string): Promise<boolean>;

  /** All tokens; undefined when nothing changed since that version. */
  changedSince(version: string | undefined): Promise<StoredTokens | undefined>;

  /** Remembers the latest use of each token, but for those that were removed. The ids of tokens of the configuration have a colon. */
  recordUses(uses: readonly TokenUse[]): Promise<void>;

  /** The latest use of each of the tokens that was used. */
  uses(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>>;
}
