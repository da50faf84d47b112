import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError, RequestAbortedError } from './http-error.ts';

/** How a route reads its body. `expected` completes the sentence "expected ..." for a client. */
export interface BodyFormat<Body> {
  readonly expected: string;
  /** @throws DomainError `invalid-request` when the bytes are not what is expected. */
  readonly parse: (bytes: Buffer) => Body;
}

/**
 * Reads a whole body of at most `limit` bytes; one that announces more is refused unread. A client
 * that waits for `100 Continue` is told to go on only when its body is wanted.
 *
 * @throws HttpError `body-too-large` or `encoding-not-supported`
 * @throws RequestAbortedError when the client goes away.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers;
  if (encoding.toLowerCase() !== 'identity') {
    throw new HttpError('encoding-not-supported', 'The request body must not be compressed', {
      'Accept-Encoding': 'identity',
    });
  }
  if (Number(length ?? 0) > limit) throw tooLarge(limit);
  if (request.headers.expect !== undefined) response.writeContinue();
  return collect(request, limit);
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      request.removeAllListeners('data').pause();
      reject(tooLarge(limit));
    });
    request.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('close', () => {
      if (!request.complete) reject(new RequestAbortedError('The client closed the connection'));
    });
  });
}

function tooLarge(limit: number): HttpError {
  return new HttpError('body-too-large', `The request body must be of at most ${limit} bytes`);
}
