import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { SigningSecrets } from '../../../domain/calls/signing.ts';

interface SigningKey {
  readonly key: KeyObject;
  /** Until when the secret signs, epoch ms. */
  readonly until: number;
}

const NOTHING = Buffer.alloc(0);

/** Signs the calls of one endpoint according to Standard Webhooks: symmetric, version 1. */
export class CallSigner {
  readonly #keys: readonly SigningKey[];

  constructor({ current, former }: SigningSecrets) {
    this.#keys = [{ secret: current, until: Infinity }, ...former].map(({ secret, until }) => {
      return { key: signingKey(secret), until };
    });
  }

  /**
   * The headers that authenticate the call, names and values in turn. @param id of the message. @param now epoch ms.
   */
  headers(id: string, now: number, body: Buffer = NOTHING): string[] {
    const timestamp = String(Math.floor(now / 1000));
    const signatures = this.#keys
      .filter(({ until }) => until > now)
      .map(({ key }) => signature(key, `${id}.${timestamp}.`, body));
    return [
      'webhook-id',
      id,
      'webhook-timestamp',
      timestamp,
      'webhook-signature',
      signatures.join(' '),
    ];
  }
}

/** The bytes that the secret encodes. */
function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
}

function signature(key: KeyObject, start: string, body: Buffer): string {
  return `v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`;
}
