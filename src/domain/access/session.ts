import type { CallerSession } from './caller.ts';
import type { SignedIn } from './sign-in.ts';

/** Milliseconds after which a session ends (platform contract, section 11). */
export const SESSION_LIFE = 12 * 3_600_000;

/** How many sessions a token has at most: beyond them the oldest ends. */
export const MOST_SESSIONS = 100;

/** How long (ms) after sign-in a session may use the routes that handle secrets. */
export const FRESH_SESSION = 600_000;

/** A browser that is signed in, with an API token or by a person. */
export interface Session extends CallerSession {
  /** SHA-256 of the token that opened it: the session ends with that token. Absent for a person. */
  readonly tokenSha256?: string;
  /** The sign-in of a person that opened it. */
  readonly signIn?: SignedIn;
  /** The id of the token or the person. */
  readonly holder: string;
  /** Epoch ms, up to a minute out of date. */
  readonly lastSeenAt: number;
  /** The address that it was last used from. */
  readonly address: string;
}
