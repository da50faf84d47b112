/** Encrypts the secrets of workers with the keys of the service, which it never shows. */
export interface SecretCipherPort {
  /** The id of the key that encrypts; undefined without keys. */
  readonly currentKey: string | undefined;

  has(key: string): boolean;

  /**
   * Encrypts a text with the current key, each time differently. The result opens only at the same place.
   *
   * @param place the queue and the field that hold the text.
   * @throws Error without keys.
   */
  encrypt(text: string, place: readonly string[]): string;

  /** The text; undefined when the key does not open it at this place, or is not there. */
  decrypt(key: string, content: string, place: readonly string[]): string | undefined;
}
