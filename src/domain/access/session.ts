import type { CallerSession } from './caller.ts';

/** Milliseconds after which a session ends (platform contract, section 11). */
export const SESSION_LIFE = 12 * 3_600_000;

/** How many sessions a token has at most: beyond them the oldest ends. */
export const MOST_SESSIONS = 100;

/** How long (ms) after sign-in a session may use the routes that handle secrets. */
export const FRESH_SESSION = 600_000;

/** A browser that is signed in with an API token. */
export interface Session extends CallerSession {
  /** SHA-256 of the token that opened it: the session ends with that token. */
  readonly tokenSha256: string;
  /** The id of that token. */
  readonly holder: string;
  /** Epoch ms, up to a minute out of date. */
  readonly lastSeenAt: number;
  /** The address that it was last used from. */
  readonly address: string;
}
