/** Encrypts the secrets of workers with the keys of the service, which it never exposes. */
export interface SecretCipherPort {
  /** The id of the current key; undefined without keys. */
  readonly currentKey: string | undefined;

  has(key: string): boolean;

  /**
   * Encrypts a text with the current key, differently each time. The result can only be decrypted for the same place.
   *
   * @param place the queue and the field that hold the text.
   * @throws Error without keys.
   */
  encrypt(text: string, place: readonly string[]): string;

  /** The text; undefined when the key is missing, or does not decrypt the text for this place. */
  decrypt(key: string, content: string, place: readonly string[]): string | undefined;
}
