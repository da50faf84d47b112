import { parseSealedText, sealedText } from '../../domain/values/sealed-text.ts';
import type { SecretText, UnreadableSecret } from '../../domain/values/secret-text.ts';
import type { SecretsOfKind } from '../kept/record-secrets.ts';
import type { SecretCipherPort } from '../ports/secret-cipher-port.ts';

/** Encrypts secrets of records with the keys of the service, and decrypts them (platform contract, section 11). */
export class Sealing<Kept> {
  readonly #cipher: SecretCipherPort;
  readonly #secrets: SecretsOfKind<Kept>;

  constructor(cipher: SecretCipherPort, secrets: SecretsOfKind<Kept>) {
    this.#cipher = cipher;
    this.#secrets = secrets;
  }

  secretsOf(kept: Kept): readonly SecretText[] {
    return this.#secrets.all(kept);
  }

  /** The record as it is stored: encrypted if there is a key, unchanged otherwise. */
  sealed(record: Kept, id: string): Kept {
    const key = this.#cipher.currentKey;
    return this.#secrets.replaced(record, ({ value, field }) => {
      if (key !== undefined) {
        const content = this.#cipher.encrypt(key, value, this.#secrets.placeOf(record, field, id));
        return sealedText({ key, content });
      }
      const looksSealed = parseSealedText(value) !== undefined;
      return looksSealed ? sealedText({ key: '', content: value }) : value;
    });
  }

  /** The record with all its secrets decrypted; unreadable ones stay as they are stored. */
  opened(kept: Kept, id: string): Kept {
    return this.#secrets.replaced(kept, (secret) => this.#text(kept, id, secret) ?? secret.value);
  }

  /** The first secret of a stored record that cannot be decrypted. */
  unreadable(kept: Kept, id: string): UnreadableSecret | undefined {
    const secret = this.secretsOf(kept).find((each) => !this.opens(kept, id, each));
    const key = secret && this.keyOf(secret.value);
    if (secret === undefined || key === undefined) return undefined;
    return { field: secret.field, key, hasKey: this.#cipher.has(key) };
  }

  /** Whether a secret of a stored record can be read. */
  opens(kept: Kept, id: string, secret: SecretText): boolean {
    return this.#text(kept, id, secret) !== undefined;
  }

  /** Whether a stored secret is encrypted as it would be now: with the current key, for the origin that it is sent to. */
  isCurrent(kept: Kept, id: string, { value, field }: SecretText): boolean {
    const sealed = parseSealedText(value);
    if (sealed === undefined || sealed.key !== this.#cipher.currentKey) return false;
    const place = this.#secrets.placeOf(kept, field, id);
    return this.#cipher.decrypt(sealed.key, sealed.content, place) !== undefined;
  }

  /** The key id of a stored text; undefined for one that is not encrypted. */
  keyOf(kept: string): string | undefined {
    const key = parseSealedText(kept)?.key;
    return key === '' ? undefined : key;
  }

  #text(kept: Kept, id: string, { value, field }: SecretText): string | undefined {
    const sealed = parseSealedText(value);
    if (sealed === undefined) return value;
    const { key, content } = sealed;
    if (key === '') return content;
    const former = this.#secrets.formerPlaceOf?.(kept, field);
    return (
      this.#cipher.decrypt(key, content, this.#secrets.placeOf(kept, field, id)) ??
      (former && this.#cipher.decrypt(key, content, former))
    );
  }
}
