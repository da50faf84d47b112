import type { Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
} from 'node:zlib';
import { answerNotDecodable } from './call-failures.ts';
import type { CappedBytes } from './capped-bytes.ts';

/**
 * How many answers are decoded at once. A few bytes may demand a window of 16 MB and the threads of the platform, no
 * matter how little of the result is kept.
 */
const MOST_AT_ONCE = 2;

/** How many bytes are decoded in one step outside the event loop. */
const PIECE: Pick<ZlibOptions, 'chunkSize'> = { chunkSize: 64 * 1024 };

/** Undoes the content codings of answers, a few at a time; others wait for their turn. */
export class ContentDecoder {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /**
   * Decodes the bytes of an answer into `decoded`. It stops as soon as that is full, so that a small answer cannot grow
   * without bound.
   *
   * @throws EndpointCallError when the coding is unknown or the bytes do not follow it; what could be decoded up to
   * then is in `decoded`.
   */
  async decode(bytes: Buffer, encoding: string, decoded: CappedBytes): Promise<void> {
    await this.#turn();
    try {
      await decodeContent(bytes, encoding, decoded);
    } finally {
      this.#next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running === MOST_AT_ONCE) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
  }

  /** Passes the place of a finished decoding on to the next one, if any. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

async function decodeContent(bytes: Buffer, encoding: string, decoded: CappedBytes): Promise<void> {
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
      return createGunzip(PIECE);
    case 'deflate':
      return hasZlibHeader(bytes) ? createInflate(PIECE) : createInflateRaw(PIECE);
    case 'br':
      return createBrotliDecompress(PIECE);
    default:
      return undefined;
  }
}

/** Some servers send `deflate` without the zlib wrapping that RFC 9110 requires. */
function hasZlibHeader(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 0x0f) === 8;
}
