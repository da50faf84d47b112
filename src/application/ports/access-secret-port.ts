export interface DrawnSecret {
  /** The whole token, which nothing keeps. */
  readonly token: string;
  /** SHA-256 of the token, in hex of lower case. */
  readonly sha256: string;
  readonly hint: string;
}

export interface DrawnSession {
  /** What the cookie of the session holds, which nothing else keeps. */
  readonly text: string;
  /** SHA-256 of the text, in hex of lower case. */
  readonly sha256: string;
}

/** Draws tokens of the API, `jg_<id>_<secret><checksum>`, and sessions (platform contract, section 11). */
export interface AccessSecretPort {
  /** Eight characters of base62 that no token has yet, as far as chance goes. */
  drawId(): string;

  /** A new secret of the token of an id. */
  draw(id: string): DrawnSecret;

  /** The secret of a new session. */
  drawSession(): DrawnSession;
}
