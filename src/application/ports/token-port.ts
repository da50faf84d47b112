/** Generates the tokens of attempts. */
export interface TokenPort {
  /** A new token: 192 random bits as 32 characters that are safe in a URL. */
  draw(): string;
}
