import { isObject } from '../../../domain/values/json.ts';
import { GrowingBytes } from '../../shared/growing-bytes.ts';

/** The largest document (bytes) that is read. */
const MAX_SIZE = 256 * 1024;

/**
 * The JSON object at a URL of an issuer. Redirects are not followed: the operator, or the discovery document, names the
 * place of the keys, and no other host decides it.
 *
 * @param signal ends the read.
 */
export async function issuerDocument(
  url: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(url, { headers, signal, redirect: 'manual' });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}${redirection(response)}`);
  }
  const document: unknown = JSON.parse(await boundedText(url, response));
  if (!isObject(document)) throw new Error(`${url} has no JSON object`);
  return document;
}

/** Leaving the loop closes the connection, so that no more than the limit is received. */
async function boundedText(url: string, { body }: Response): Promise<string> {
  const received = new GrowingBytes();
  for await (const chunk of body ?? []) {
    received.add(Buffer.from(chunk as Uint8Array));
    if (received.size > MAX_SIZE) throw new Error(`${url} has more than ${MAX_SIZE} bytes`);
  }
  return received.bytes().toString();
}

function redirection({ status }: Response): string {
  return status >= 300 && status < 400 ? ', and redirects are not followed' : '';
}
