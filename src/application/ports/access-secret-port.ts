export interface DrawnSecret {
  /** The whole token, which is not stored anywhere. */
  readonly token: string;
  /** SHA-256 of the token, in lowercase hex. */
  readonly sha256: string;
  readonly hint: string;
}

export interface DrawnSession {
  /** The cookie value of the session, which is not stored anywhere else. */
  readonly text: string;
  /** SHA-256 of the text, in lowercase hex. */
  readonly sha256: string;
}

/** Generates API tokens, `jg_<id>_<secret><checksum>`, and sessions (platform contract, section 11). */
export interface AccessSecretPort {
  /** Eight random base62 characters, which in all likelihood no token has yet. */
  drawId(): string;

  /** A new secret for the token with this id. */
  draw(id: string): DrawnSecret;

  /** The secret of a new session. */
  drawSession(): DrawnSession;

  /** Encrypts a text, differently each time, so that only the cookie value of a session opens it. */
  seal(cookie: string, text: string): string;

  /** The text; undefined when another cookie value sealed it. */
  unseal(cookie: string, sealed: string): string | undefined;
}
