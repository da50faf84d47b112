/** Where the tokens of attempts come from. */
export interface TokenPort {
  /** 192 random bits that were never drawn before, as 32 characters that a URL may hold. */
  draw(): string;
}
