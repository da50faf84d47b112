/** Generates the secrets that sign calls. */
export interface SecretPort {
  /** A new secret: `whsec_` and 256 random bits in base64. */
  draw(): string;
}
