import type { EncryptionKey } from '../../adapters/outbound/encryption/aes-secret-cipher.ts';
import { KEY_ID } from '../../domain/values/sealed-text.ts';
import { NO_KEY } from '../../application/secrets/secrets.ts';

/** AES-256. */
const KEY_BYTES = 32;

/** Keys such as `2026b:<base64 of 32 bytes>`, separated by commas or white space. */
export function parseEncryptionKeys(text: string): readonly EncryptionKey[] | undefined {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parsedKey);
  const known = keys.filter((key) => key !== undefined);
  const areDistinct = new Set(known.map(({ id }) => id)).size === keys.length;
  return keys.length > 0 && areDistinct ? known : undefined;
}

function parsedKey(text: string): EncryptionKey | undefined {
  const [id = '', secret = '', ...rest] = text.split(':');
  if (rest.length > 0 || !KEY_ID.test(id) || id === NO_KEY) return undefined;
  const bytes = Buffer.from(secret, 'base64');
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === secret.replace(/=+$/, '');
  return isBase64 && bytes.length === KEY_BYTES ? { id, secret } : undefined;
}
