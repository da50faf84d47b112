import type { SignInSettings } from '../../domain/access/sign-in.ts';
import type { Claims } from '../../domain/access/token-issuer.ts';

/** A try to sign in, as the service remembers it until the person comes back. */
export interface SignInTry {
  /** Comes back with the person, and ties the way back to the way there. */
  readonly state: string;
  /** Comes back in what the issuer says of the person. */
  readonly nonce: string;
  /** Proves that who redeems the answer of the issuer made the request. */
  readonly verifier: string;
}

/** What the issuer says of a person. */
export interface Identity {
  readonly subject: string;
  readonly claims: Claims;
  /** Absent when the issuer gave none. */
  readonly refreshToken?: string | undefined;
  /** How long (ms) it vouches for that; infinite for an unknown time. */
  readonly expiresIn: number;
}

/** What the configured issuer says of people who sign in (further contract, section 25). */
export interface IdentityProviderPort {
  /** Those in force. */
  readonly settings: Pick<SignInSettings, 'issuer' | 'rules' | 'scopes'>;

  /**
   * Where a person goes to sign in.
   *
   * @param returnTo the URL at which the person comes back.
   * @throws DomainError `issuer-unavailable`.
   */
  begin(returnTo: string): Promise<{ readonly location: string; readonly started: SignInTry }>;

  /**
   * Who came back.
   *
   * @param answer the query with which the person came back.
   * @throws DomainError `invalid-request` when the issuer refuses it, or it does not belong to the try; or
   * `issuer-unavailable`.
   */
  finish(answer: string, started: SignInTry, returnTo: string): Promise<Identity>;

  /**
   * What the issuer says of a person now. A refresh token can be used once: the new one takes its place.
   *
   * @throws DomainError `invalid-request` when the issuer refuses it, or says it of someone else; or
   * `issuer-unavailable`.
   */
  lookUp(refreshToken: string, subject: string): Promise<Identity>;

  /** Where a person ends the sign-in at the issuer; null when that is unknown. */
  endUrl(): Promise<string | null>;
}
