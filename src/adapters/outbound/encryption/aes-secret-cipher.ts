import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SecretCipherPort } from '../../../application/ports/secret-cipher-port.ts';

/** A key as configured. */
export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes in base64. */
  readonly secret: string;
}

const ALGORITHM = 'aes-256-gcm';

/** The lengths that NIST SP 800-38D recommends. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: nonce, text and tag in base64. The place of a text is authenticated as additional data. */
export class AesSecretCipher implements SecretCipherPort {
  readonly keys: readonly string[];
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** @param keys the first one encrypts, all of them decrypt. */
  constructor(keys: readonly EncryptionKey[]) {
    this.keys = keys.map(({ id }) => id);
    this.#keys = new Map(keys.map(({ id, secret }) => [id, Buffer.from(secret, 'base64')]));
  }

  get currentKey(): string | undefined {
    return this.keys[0];
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  encrypt(id: string, text: string, place: readonly string[]): string {
    const key = this.#keys.get(id);
    if (key === undefined) throw new Error(`There is no key ${id}`);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(additionalData(place));
    const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64');
  }

  decrypt(id: string, content: string, place: readonly string[]): string | undefined {
    const key = this.#keys.get(id);
    const bytes = Buffer.from(content, 'base64');
    if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const options = { authTagLength: TAG_BYTES };
    const decipher = createDecipheriv(ALGORITHM, key, nonce, options);
    decipher.setAAD(additionalData(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      // The tag does not match the text, the key and the place.
      return undefined;
    }
  }
}

/** A JSON list, so that no two places have the same bytes. */
function additionalData(place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(place), 'utf8');
}
