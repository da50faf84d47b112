/** Encrypts the secrets of workers with the keys of the service, which it never exposes. */
export interface SecretCipherPort {
  /** The id of the current key; undefined without keys. */
  readonly currentKey: string | undefined;

  /** The ids of all keys, the current one first. */
  readonly keys: readonly string[];

  has(key: string): boolean;

  /**
   * Encrypts a text, differently each time. The result can only be decrypted for the same place.
   *
   * @param place what the text belongs to, such as the queue and the field that hold it.
   * @throws Error for an unknown key.
   */
  encrypt(key: string, text: string, place: readonly string[]): string;

  /** The text; undefined when the key is missing, or does not decrypt the text for this place. */
  decrypt(key: string, content: string, place: readonly string[]): string | undefined;
}
