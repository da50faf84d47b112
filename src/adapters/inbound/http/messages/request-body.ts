import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '../../../../domain/errors.ts';
import { GrowingBytes } from '../../../shared/growing-bytes.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import type { OpenApiContent } from './openapi.ts';
import { HttpError, RequestAbortedError } from './http-error.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from './transfer-budget.ts';

/** A body of more bytes takes so long to read that others are served before the next step. */
export const LONG_BODY = 262_144;

/** How a route reads its body. `expected` completes the sentence "expected ..." for a client. */
export interface BodyFormat<Body> {
  readonly expected: string;
  /** What the documentation tells of it. */
  readonly content: OpenApiContent;
  /** What an empty body stands for, where it may be absent. */
  readonly whenAbsent?: Body;
  /** For bodies that may not be as large as others. */
  readonly limit?: BodyLimit;
  /**
   * Large bodies are read in several turns.
   *
   * @throws DomainError `invalid-request` when the bytes are not what is expected.
   */
  readonly parse: (bytes: Buffer, turns: EventLoopTurns) => Body | Promise<Body>;
}

/** The longest body of some kind, in bytes, and what a longer one is told. */
export interface BodyLimit {
  readonly bytes: number;
  readonly tooLarge: () => Error;
}

export interface BodyLimits {
  readonly size: BodyLimit;
  /** What all large bodies take together. */
  readonly budget: TransferBudget;
}

/**
 * Reads a whole body; one that announces too much is refused unread. A client that waits for
 * `100 Continue` is told to go on only when its body is wanted.
 *
 * @throws HttpError `overloaded` or `encoding-not-supported`, or what a body that is too large is told
 * @throws RequestAbortedError when the client goes away.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  checkEncoding(request);
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limits.size.bytes) throw limits.size.tooLarge();
  // All that is announced counts from now on, so that those let in can finish.
  if (length > UNCOUNTED_SIZE) limits.budget.reserve(response, length);
  if (request.headers.expect !== undefined) response.writeContinue();
  return collect(request, response, limits);
}

function checkEncoding({ headers }: IncomingMessage): void {
  const { 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw compressed();
  // Node undoes the chunks, and takes no notice of what else is named with them.
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') throw compressed();
}

function collect(
  request: IncomingMessage,
  response: ServerResponse,
  { size, budget }: BodyLimits,
): Promise<Buffer> {
  const announced = request.headers['content-length'] !== undefined;
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    request.on('data', (chunk: Buffer) => {
      try {
        body.add(chunk);
        if (body.size > size.bytes) throw size.tooLarge();
        if (!announced && body.size > UNCOUNTED_SIZE) budget.reserve(response, chunk.length);
      } catch (error) {
        if (!(error instanceof HttpError || error instanceof DomainError)) throw error;
        request.removeAllListeners('data').pause();
        reject(error);
      }
    });
    request.on('end', () => {
      resolve(body.bytes());
    });
    request.on('close', () => {
      if (request.readableEnded) return;
      reject(new RequestAbortedError('The client closed the connection'));
    });
  });
}

/** The limit of every body, whatever it holds. */
export function bodyLimit(bytes: number): BodyLimit {
  const message = `The request body must be of at most ${bytes} bytes`;
  return { bytes, tooLarge: () => new HttpError('body-too-large', message) };
}

function compressed(): HttpError {
  return new HttpError('encoding-not-supported', 'The request body must not be compressed', {
    'Accept-Encoding': 'identity',
  });
}
