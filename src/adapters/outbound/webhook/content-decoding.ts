import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { answerNotDecodable } from './call-failures.ts';
import type { CappedBytes } from './capped-bytes.ts';

/**
 * Undoes the content coding of an answer, into `decoded`. It ends as soon as that is full, so that
 * a small answer cannot grow without bound.
 *
 * @throws EndpointCallError when the coding is unknown or the bytes do not follow it; what could be
 * decoded until then is in `decoded`.
 */
export async function decodeContent(
  bytes: Buffer,
  encoding: string,
  decoded: CappedBytes,
): Promise<void> {
  const decoder = contentDecoder(encoding, bytes);
  if (decoder === undefined) throw answerNotDecodable(encoding);
  decoder.end(bytes);
  try {
    for await (const chunk of decoder) {
      decoded.add(chunk as Buffer);
      if (decoded.exceeded) return;
    }
  } catch {
    throw answerNotDecodable(encoding);
  }
}

function contentDecoder(encoding: string, bytes: Buffer): Transform | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return hasZlibHeader(bytes) ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

/** Some servers send `deflate` without the zlib wrapping that RFC 9110 asks for. */
function hasZlibHeader(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8;
}
