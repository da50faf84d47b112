import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '../../../shared/growing-bytes.ts';
import type { EventLoopTurns } from './event-loop-turns.ts';
import type { ExchangeResponse } from './exchange.ts';
import type { OpenApiContent } from './openapi.ts';
import { HttpError, RequestAbortedError } from './http-error.ts';
import { LINGER_TIME } from './send-reply.ts';
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
  /** Is asked once, before more than UNCOUNTED_SIZE is taken; what it throws refuses the body. */
  readonly admit?: (() => Promise<void>) | undefined;
}

/**
 * Reads a whole body; one that announces too much is refused unread. A client that waits for
 * `100 Continue` is told to go on only when its body is wanted. What has come is charged, not what is announced, or
 * announcements alone would use the budget up.
 *
 * @throws HttpError `overloaded`, `request-timeout` or `encoding-not-supported`, or what a body that is too large is
 * told, or what `admit` throws
 * @throws RequestAbortedError when the client goes away.
 */
export async function readBody(
  request: IncomingMessage,
  response: ExchangeResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  checkEncoding(request);
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limits.size.bytes) throw limits.size.tooLarge();
  const isLarge = length > UNCOUNTED_SIZE;
  if (isLarge) {
    limits.budget.check(response);
    await limits.admit?.();
    if (request.destroyed) throw clientLeft();
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  return new BodyReading(request, response, limits, isLarge).body;
}

function checkEncoding({ headers }: IncomingMessage): void {
  const { 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw compressed();
  // Node undoes the chunks, and takes no notice of what else is named with them.
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') throw compressed();
}

/** A body that comes in. */
class BodyReading {
  /** Rejects as soon as the body is refused: it is not kept from then on. */
  readonly body: Promise<Buffer>;
  readonly #request: IncomingMessage;
  readonly #response: ExchangeResponse;
  readonly #limits: BodyLimits;
  readonly #bytes = new GrowingBytes();
  readonly #idle: NodeJS.Timeout;
  #refuse: (error: Error) => void = () => undefined;
  #isAdmitted: boolean;
  #charged = 0;
  /** Changes whenever something comes. */
  #chunks = 0;

  /** @param isAdmitted whether `admit` was asked already. */
  constructor(
    request: IncomingMessage,
    response: ExchangeResponse,
    limits: BodyLimits,
    isAdmitted: boolean,
  ) {
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
    this.#isAdmitted = isAdmitted || limits.admit === undefined;
    this.#idle = setTimeout(this.#lookWhetherIdle, response.bodyPatience ?? LINGER_TIME);
    this.body = new Promise((resolve, reject) => {
      this.#refuse = reject;
      request.on('data', this.#take);
      request.on('end', () => {
        clearTimeout(this.#idle);
        resolve(this.#bytes.bytes());
      });
      request.on('close', () => {
        clearTimeout(this.#idle);
        if (!request.readableEnded) reject(clientLeft());
      });
    });
  }

  readonly #take = (chunk: Buffer): void => {
    this.#chunks += 1;
    this.#idle.refresh();
    this.#bytes.add(chunk);
    const { size, budget } = this.#limits;
    const taken = this.#bytes.size;
    try {
      if (taken > size.bytes) throw size.tooLarge();
      if (taken <= UNCOUNTED_SIZE) return;
      budget.reserve(this.#response, taken - this.#charged);
      this.#charged = taken;
    } catch (error) {
      this.#end(error);
      return;
    }
    if (!this.#isAdmitted) void this.#admit();
  };

  async #admit(): Promise<void> {
    this.#isAdmitted = true;
    this.#request.pause();
    try {
      await this.#limits.admit?.();
      this.#idle.refresh();
      this.#request.resume();
    } catch (error) {
      this.#end(error);
    }
  }

  /** The process may have been held up itself: what has come meanwhile is taken first. */
  readonly #lookWhetherIdle = (): void => {
    const chunks = this.#chunks;
    setImmediate(() => {
      if (this.#chunks !== chunks || this.#request.complete || this.#request.isPaused()) return;
      const seconds = (this.#response.bodyPatience ?? LINGER_TIME) / 1000;
      this.#response.shouldKeepAlive = false;
      this.#end(new HttpError('request-timeout', `No byte of the body came for ${seconds} s`));
    });
  };

  #end(error: unknown): void {
    clearTimeout(this.#idle);
    this.#request.off('data', this.#take).pause();
    this.#bytes.clear();
    this.#limits.budget.refund(this.#response, this.#charged);
    this.#charged = 0;
    this.#refuse(error as Error);
  }
}

function clientLeft(): RequestAbortedError {
  return new RequestAbortedError('The client closed the connection');
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
