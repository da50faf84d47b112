import { VerificationError } from './errors.ts';
import type { HeaderTexts } from './headers.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

const WRONG_SECRET = 'secret must be whsec_ and base64, or false for unsigned calls';

/** Rejects with a VerificationError unless a call has a valid signature. */
export type Verify = (headers: HeaderTexts, body: Uint8Array) => Promise<void>;

/**
 * Verifies calls signed according to Standard Webhooks, with one of several secrets.
 *
 * @throws Error for a malformed secret, or if no secret is given.
 */
export function verifying(
  secret: string | readonly string[] | undefined,
  tolerance: number,
  now: () => number,
): Verify {
  const keys = [secret].flat().map(keyBytes);
  if (keys.length === 0) throw new Error(WRONG_SECRET);
  return async (headers, body) => {
    const id = headers.get('webhook-id');
    const timestamp = headers.get('webhook-timestamp');
    const signatures = headers.get('webhook-signature');
    if (!id) throw new VerificationError('webhook-id is missing');
    if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
      throw new VerificationError('webhook-timestamp is missing or no number of seconds');
    }
    if (!(Math.abs(now() - Number(timestamp) * 1000) <= tolerance)) {
      throw new VerificationError('webhook-timestamp is too far from now');
    }
    if (signatures === undefined) throw new VerificationError('webhook-signature is missing');
    const signed = signedBytes(id, timestamp, body);
    // Servers join repeated headers with a comma.
    for (const signature of signatures.split(/,? |,(?=v\d+[a-z]*,)/)) {
      const bytes = base64Bytes(/^v1,(.*)$/.exec(signature)?.[1]);
      for (const key of keys) {
        if (await crypto.subtle.verify(HMAC, await imported(key), bytes, signed)) return;
      }
    }
    throw new VerificationError('No signature is right');
  };
}

/** The signature that the service computes for a call. */
export async function sign(
  secret: string,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<string> {
  const key = await imported(keyBytes(secret));
  const bytes = await crypto.subtle.sign(HMAC, key, signedBytes(id, timestamp, body));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}

function imported(bytes: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['sign', 'verify']);
}

function keyBytes(secret = ''): Uint8Array<ArrayBuffer> {
  const bytes = base64Bytes(/^whsec_(.*)$/.exec(secret)?.[1]);
  if (bytes.length === 0) throw new Error(WRONG_SECRET);
  return bytes;
}

/** Returns no bytes for invalid base64. */
function base64Bytes(text = ''): Uint8Array<ArrayBuffer> {
  const isBase64 = text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  return Uint8Array.from(isBase64 ? atob(text) : '', (character) => character.charCodeAt(0));
}

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
