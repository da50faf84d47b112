/** Milliseconds after which a session ends (platform contract, section 11). */
export const SESSION_LIFE = 12 * 3_600_000;

/** For how long (ms) after its sign-in a session may use the routes that deal with secrets. */
export const FRESH_SESSION = 600_000;

/** A browser that is signed in with a token of the API. */
export interface Session {
  readonly id: string;
  /** SHA-256 of what its cookie holds, in hex of lower case. */
  readonly sha256: string;
  /** SHA-256 of the token that it was opened with: the session ends with it. */
  readonly tokenSha256: string;
  /** The id of that token. */
  readonly holder: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Epoch ms, at most a minute old. */
  readonly lastSeenAt: number;
  /** Where it was last seen. */
  readonly address: string;
}
