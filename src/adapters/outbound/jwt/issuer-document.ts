import { isObject } from '../../../domain/values/json.ts';
import { GrowingBytes } from '../../shared/growing-bytes.ts';

/** The largest answer (bytes) that is read. */
const MAX_SIZE = 256 * 1024;

export type IssuerDocument = Readonly<Record<string, unknown>>;

/**
 * The whole answer of an issuer. Redirects are not followed: the operator, or the discovery document, names the place of
 * what is asked for, and no other host decides it.
 *
 * @param url without parts that are secret, since errors name it.
 */
export async function issuerAnswer(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  const received = new GrowingBytes();
  // Leaving the loop closes the connection, so that no more than the limit is received.
  for await (const chunk of response.body ?? []) {
    received.add(Buffer.from(chunk as Uint8Array));
    if (received.size > MAX_SIZE) throw new Error(`${url} has more than ${MAX_SIZE} bytes`);
  }
  return new Response(received.size === 0 ? null : received.bytes(), { status, headers });
}

/** The JSON object at a URL of an issuer. @param signal ends the read. */
export async function issuerDocument(url: string, signal: AbortSignal): Promise<IssuerDocument> {
  const headers = { Accept: 'application/json' };
  const response = await issuerAnswer(url, { headers, signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}${redirection(response)}`);
  const document: unknown = await response.json();
  if (!isObject(document)) throw new Error(`${url} has no JSON object`);
  return document;
}

/** What an issuer says of itself (OpenID Connect Discovery 1.0, section 4). */
export async function discoveryDocument(
  issuer: string,
  signal: AbortSignal,
): Promise<IssuerDocument> {
  const place = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await issuerDocument(place, signal);
  if (document['issuer'] === issuer) return document;
  throw new Error(`${place} is not the discovery document of ${issuer}`);
}

function redirection({ status }: Response): string {
  return status >= 300 && status < 400 ? ', and redirects are not followed' : '';
}
