import type { Claims, TokenIssuer } from '../../domain/access/token-issuer.ts';

/** A token whose issuer, audience, times and signature are right. */
export interface VerifiedToken {
  readonly issuer: TokenIssuer;
  readonly claims: Claims;
  /** Epoch ms. */
  readonly expires: number;
}

/** Verifies tokens that others issue. */
export interface IssuerTokenPort {
  /**
   * @returns undefined for a token that is not valid.
   * @throws DomainError `issuer-unavailable` when the keys of its issuer cannot be read.
   */
  verify(token: string): Promise<VerifiedToken | undefined>;
}
