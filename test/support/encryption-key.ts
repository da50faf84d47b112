import { createHash } from 'node:crypto';
import type { EncryptionKey } from '../../src/adapters/outbound/encryption/aes-secret-cipher.ts';

/** The same key for the same id. @param seed makes another key of that id. */
export function encryptionKey(id: string, seed = id): EncryptionKey {
  return { id, secret: createHash('sha256').update(seed).digest('base64') };
}

/** The keys as ENCRYPTION_KEYS has them. */
export function encryptionKeysText(...keys: readonly EncryptionKey[]): string {
  return keys.map(({ id, secret }) => `${id}:${secret}`).join(',');
}
