import type { Claims, TokenIssuer } from '../../domain/access/token-issuer.ts';

/** A token with a valid issuer, audience, validity period and signature. */
export interface VerifiedToken {
  readonly issuer: TokenIssuer;
  readonly claims: Claims;
  /** Epoch ms. */
  readonly expires: number;
}

/** Verifies tokens of external issuers. */
export interface IssuerTokenPort {
  /**
   * @returns undefined for an invalid token.
   * @throws DomainError `issuer-unavailable` when the keys of its issuer cannot be read.
   */
  verify(token: string): Promise<VerifiedToken | undefined>;
}
