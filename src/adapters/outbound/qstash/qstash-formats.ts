import { createHmac, createSecretKey, hash, randomUUID, type KeyObject } from 'node:crypto';
import type { PushFormatPort } from '../../../application/ports/push-format-port.ts';
import type { PushContent } from '../../../domain/messages/push.ts';

const HEAD = encoded({ alg: 'HS256', typ: 'JWT' });

/** How many seconds a signature is valid before and after it is made. */
const [BEFORE, AFTER] = [5, 300];

/** Signs as QStash does, for the receivers of its clients (further contract, section 24). */
export class QstashFormats implements PushFormatPort {
  #signing: { readonly key: string; readonly object: KeyObject } | undefined;

  signature(key: string, url: string, body: Buffer, now: number): string {
    const seconds = Math.floor(now / 1000);
    const claims = {
      iss: 'Upstash',
      sub: url,
      exp: seconds + AFTER,
      nbf: seconds - BEFORE,
      iat: seconds,
      jti: `jwt_${randomUUID()}`,
      body: hash('sha256', body, 'base64url'),
    };
    const signed = `${HEAD}.${encoded(claims)}`;
    return `${signed}.${createHmac('sha256', this.#keyOf(key)).update(signed).digest('base64url')}`;
  }

  /** One key signs until the configuration has another. */
  #keyOf(key: string): KeyObject {
    if (this.#signing?.key !== key) this.#signing = { key, object: createSecretKey(key, 'utf8') };
    return this.#signing.object;
  }

  digest(content: PushContent): string {
    return hash('sha256', this.bytes(content), 'hex');
  }

  bytes({ data, isBase64 = false }: PushContent): Buffer {
    return Buffer.from(data, isBase64 ? 'base64' : 'utf8');
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
