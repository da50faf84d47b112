import { VerificationError } from './errors.ts';

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Headers as fetch, Node.js or a test has them. */
export type CallHeaders =
  Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Verifies calls that are signed after Standard Webhooks. */
export class Verifier {
  readonly #keys: readonly Promise<SigningKey>[];
  readonly #tolerance: number;
  readonly #now: () => number;

  /** @throws Error for a secret that is none, or none at all. */
  constructor(secret: string | readonly string[], tolerance: number, now: () => number) {
    const secrets = typeof secret === 'string' ? [secret] : secret;
    if (secrets.length === 0) throw new Error('secret must hold at least one secret');
    this.#keys = secrets.map((text) => {
      const key = importKey(keyBytes(text));
      key.catch(() => undefined);
      return key;
    });
    this.#tolerance = tolerance;
    this.#now = now;
  }

  /** @throws VerificationError unless one signature is right. */
  async verify(headers: CallHeaders, body: Uint8Array): Promise<void> {
    const id = headerOf(headers, 'webhook-id');
    const timestamp = headerOf(headers, 'webhook-timestamp');
    const signature = headerOf(headers, 'webhook-signature');
    if (id === undefined || id === '') throw new VerificationError('webhook-id is missing');
    if (timestamp === undefined || !/^[0-9]{1,12}$/.test(timestamp)) {
      throw new VerificationError('webhook-timestamp is missing or no number of seconds');
    }
    if (!(Math.abs(this.#now() - Number(timestamp) * 1000) <= this.#tolerance)) {
      throw new VerificationError('webhook-timestamp is too far from now');
    }
    if (signature === undefined) throw new VerificationError('webhook-signature is missing');
    const signed = signedBytes(id, timestamp, body);
    for (const [version, value, rest] of signature.split(' ').map((one) => one.split(','))) {
      if (version !== 'v1' || value === undefined || rest !== undefined) continue;
      const bytes = base64Bytes(value);
      if (bytes === undefined) continue;
      for (const key of this.#keys) {
        if (await crypto.subtle.verify('HMAC', await key, bytes, signed)) return;
      }
    }
    throw new VerificationError('No signature is right');
  }
}

/** The signature of a call, as the service makes it. */
export async function sign(
  secret: string,
  id: string,
  timestamp: string,
  body: Uint8Array,
): Promise<string> {
  const key = await importKey(keyBytes(secret));
  const bytes = await crypto.subtle.sign('HMAC', key, signedBytes(id, timestamp, body));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}

/** The value of a header; several are joined as HTTP joins them. */
export function headerOf(headers: CallHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  return values.length === 0 ? undefined : values.join(', ');
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<SigningKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = /^whsec_(.+)$/.exec(secret)?.[1];
  const key = bytes === undefined ? undefined : base64Bytes(bytes);
  if (key === undefined || key.length === 0) throw new Error('secret must be whsec_ and base64');
  return key;
}

function base64Bytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function signedBytes(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}
