import { createHmac, hash, randomInt } from 'node:crypto';
import { AesSecretCipher } from '../adapters/outbound/encryption/aes-secret-cipher.ts';
import { accessTokenText, BASE62 } from '../adapters/shared/access-token-text.ts';
import type {
  AccessSecretPort,
  DrawnSecret,
  DrawnSession,
} from '../application/ports/access-secret-port.ts';

const ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const SESSION_LENGTH = 43;

/** Distinguishes what the secret of a session seals from all else that is made of it. */
const SEAL = 'refresh token';

/** How much of a secret the hint shows, to tell tokens apart: 28 characters of it, over 160 bits, stay unknown. */
const SHOWN = 4;

/** Generates API tokens from the random numbers of the machine. */
export class RandomAccessSecrets implements AccessSecretPort {
  drawId(): string {
    return randomText(ID_LENGTH);
  }

  draw(id: string): DrawnSecret {
    const secret = randomText(SECRET_LENGTH);
    const token = accessTokenText(id, secret);
    const hint = `jg_${id}_${secret.slice(0, SHOWN)}…`;
    return { token, sha256: hash('sha256', token, 'hex'), hint };
  }

  drawSession(): DrawnSession {
    const text = randomText(SESSION_LENGTH);
    return { text, sha256: hash('sha256', text, 'hex') };
  }

  seal(cookie: string, text: string): string {
    return cipherOf(cookie).encrypt(SEAL, text, [SEAL]);
  }

  unseal(cookie: string, sealed: string): string | undefined {
    return cipherOf(cookie).decrypt(SEAL, sealed, [SEAL]);
  }
}

/** The store has the digest of the cookie value alone, from which nobody finds this key. */
function cipherOf(cookie: string): AesSecretCipher {
  const secret = createHmac('sha256', cookie).update(SEAL).digest('base64');
  return new AesSecretCipher([{ id: SEAL, secret }]);
}

function randomText(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
