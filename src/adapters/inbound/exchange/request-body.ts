import type { IncomingMessage } from 'node:http';
import { GrowingBytes } from '../../shared/growing-bytes.ts';
import { LINGER_TIME } from './send-reply.ts';
import type { ExchangeResponse } from './exchange.ts';
import { HttpError, RequestAbortedError } from './http-error.ts';
import { UNCOUNTED_SIZE, type TransferBudget } from './transfer-budget.ts';

/** The longest body of some kind, in bytes, and the error for a longer one. */
export interface BodyLimit {
  readonly bytes: number;
  readonly tooLarge: () => Error;
}

export interface BodyLimits {
  readonly size: BodyLimit;
  /** The budget of all large bodies together. */
  readonly budget: TransferBudget;
  /** Called once, before more than UNCOUNTED_SIZE is read; its error refuses the body. */
  readonly admit?: (() => Promise<void>) | undefined;
}

/**
 * Reads a whole body; one that announces too much is refused unread. A client that waits for `100 Continue` gets it
 * only if its body is wanted. The bytes received are charged rather than those announced, or announcements alone could
 * use up the budget.
 *
 * @throws HttpError `overloaded` or `request-timeout`, the error of `limit` for a body that is too large, or the error
 * of `admit`
 * @throws RequestAbortedError when the client goes away.
 */
export async function readBody(
  request: IncomingMessage,
  response: ExchangeResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limits.size.bytes) throw limits.size.tooLarge();
  const isLarge = length > UNCOUNTED_SIZE;
  if (isLarge) {
    limits.budget.check(response);
    await limits.admit?.();
    if (request.destroyed) throw clientLeft();
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  return (
    (await arrivedBody(request, length)) ?? new BodyReading(request, response, limits, isLarge).body
  );
}

/**
 * A small body that came with the head of its request, as most do: it needs neither a timer nor a listener. The parser
 * hands it over before the next microtask. Null for any other body.
 */
async function arrivedBody(request: IncomingMessage, length: number): Promise<Buffer | null> {
  if (length === 0 || length > UNCOUNTED_SIZE) return null;
  await Promise.resolve();
  if (request.readableLength !== length) return null;
  const bytes = request.read() as Buffer | null;
  // Only the end of the message is left, which node:http waits for.
  request.resume();
  return bytes;
}

/** @throws HttpError `encoding-not-supported` for a compressed body. */
export function checkEncoding({ headers }: IncomingMessage): void {
  const { 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw compressed();
  // Node decodes the chunks, and ignores any other coding that is named with them.
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') throw compressed();
}

/** A body that is being received. */
class BodyReading {
  /** Rejects as soon as the body is refused: from then on it is not kept. */
  readonly body: Promise<Buffer>;
  readonly #request: IncomingMessage;
  readonly #response: ExchangeResponse;
  readonly #limits: BodyLimits;
  readonly #bytes = new GrowingBytes();
  readonly #idle: NodeJS.Timeout;
  #refuse: (error: Error) => void = () => undefined;
  #isAdmitted: boolean;
  #charged = 0;
  /** Changes whenever bytes arrive. */
  #chunks = 0;

  /** @param isAdmitted whether `admit` was already called. */
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

  /** The process itself may have been held up, so bytes that arrived in the meantime are read first. */
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

/** The limit that applies to any kind of body. */
export function bodyLimit(bytes: number): BodyLimit {
  const message = `The request body must be of at most ${bytes} bytes`;
  return { bytes, tooLarge: () => new HttpError('body-too-large', message) };
}

function compressed(): HttpError {
  return new HttpError('encoding-not-supported', 'The request body must not be compressed', {
    'Accept-Encoding': 'identity',
  });
}
