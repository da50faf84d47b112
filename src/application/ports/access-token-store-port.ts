import type { AccessToken } from '../../domain/access/access-token.ts';
import type { Natures } from './nature.ts';

/** What changed among the tokens of the store. */
export interface TokenChanges {
  /** Identifies this state of the tokens; empty as long as no token was ever stored. */
  readonly version: string;
  /** Whether `tokens` are all tokens, since the changes from the earlier version are not known. */
  readonly isWhole: boolean;
  /** New and changed tokens as they are now. */
  readonly tokens: readonly AccessToken[];
  /** The ids of removed tokens. */
  readonly removed: readonly string[];
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
  /**
   * Stores a token with a new id.
   *
   * @param most how many tokens there may be.
   * @returns false when the id already exists.
   * @throws DomainError `too-many-tokens`.
   */
  create(token: AccessToken, most: number): Promise<boolean>;

  /** Replaces the token. @returns false when it has changed in the meantime, or is gone. */
  replace(before: AccessToken, after: AccessToken): Promise<boolean>;

  /** @returns false when it did not exist. */
  remove(id: string): Promise<boolean>;

  /**
   * The tokens that changed since a version; undefined when none did. The cost depends on the number of changes, not of
   * tokens, unless the version is undefined or too old.
   */
  changedSince(version: string | undefined): Promise<TokenChanges | undefined>;

  /** Stores the latest use of each token, except removed ones. The ids of configured tokens contain a colon. */
  recordUses(uses: readonly TokenUse[]): Promise<void>;

  /** The latest use of each token that has been used. */
  uses(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>>;
}

export const ACCESS_TOKEN_NATURES: Natures<AccessTokenStorePort> = {
  create: 'enlarges',
  replace: 'changes',
  remove: 'changes',
  changedSince: 'looks',
  recordUses: 'notes',
  uses: 'looks',
};
