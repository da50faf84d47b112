import type { Natures } from './nature.ts';

/** When, and from which address, a token was last used. */
export interface TokenUse {
  readonly id: string;
  /** Epoch ms. */
  readonly at: number;
  readonly address: string;
}

/**
 * Remembers the latest use of each token, many in one step. Methods throw DomainError `store-unavailable` when the store
 * cannot be reached.
 */
export interface TokenUsePort {
  /** Stores the latest use of each token, except removed ones. The ids of configured tokens contain a colon. */
  record(uses: readonly TokenUse[]): Promise<void>;

  /** The latest use of each token that has been used. */
  of(ids: readonly string[]): Promise<ReadonlyMap<string, TokenUse>>;

  /** Forgets the uses of tokens that were removed. */
  forget(ids: readonly string[]): Promise<void>;
}

export const TOKEN_USE_NATURES: Natures<TokenUsePort> = {
  record: 'notes',
  of: 'looks',
  forget: 'notes',
};
