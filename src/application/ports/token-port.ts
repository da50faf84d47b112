/** Generates the tokens of attempts. */
export interface TokenPort {
  /**
   * A new token: 191 random bits and more, as 32 characters that are safe in a URL and, as an id of a job, in a command
   * line: the first is not the `-` of an option.
   */
  draw(): string;
}
