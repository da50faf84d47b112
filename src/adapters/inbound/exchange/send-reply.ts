import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExchangeResponse } from './exchange.ts';
import { UNCOUNTED_SIZE } from './transfer-budget.ts';
import type { ReplyHead, WholeReply } from './whole-reply.ts';

/** An unread body of at most this many bytes is skipped, to keep the connection. */
const SKIPPABLE_BODY = 65_536;

/** How long a client may keep sending a body that nothing reads, in milliseconds. */
export const LINGER_TIME = 2_000;

/** Sends the whole answer, or drops it when its client has left. */
export function sendReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: WholeReply,
): void {
  const { undelivered, body: text } = reply;
  if (response.headersSent || response.destroyed) {
    undelivered?.();
    return;
  }
  if (undelivered !== undefined) {
    const { socket } = request;
    let isOut = false;
    // A response also finishes when its connection is lost on the way; the rest of it is dropped.
    response.once('finish', () => {
      isOut = !socket.destroyed && socket.errored === null;
    });
    response.once('close', () => {
      if (!isOut) undelivered();
    });
  }
  // Bytes of a long text are sent in half the time: node:http would encode it twice, to count and to copy them.
  const body = typeof text === 'string' && text.length > UNCOUNTED_SIZE ? Buffer.from(text) : text;
  beginReply(request, response, reply, Buffer.byteLength(body));
  endReply(request, response, body);
}

/**
 * Begins an answer. Its headers go to node:http as a list: an object costs it twice as much.
 *
 * @param length of the body, in bytes; without it the answer is sent in chunks or, to an old client, ends with its
 * connection.
 */
export function beginReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  { status, contentType, headers }: ReplyHead,
  length?: number,
): void {
  if (stillSending(request)) response.shouldKeepAlive = false;
  const { id, idHeader, headers: ofExchange, limits } = response.locals;
  const list = ['X-Content-Type-Options', 'nosniff', idHeader, id];
  // RFC 9110, section 8.6: an answer without content has no length either.
  if (status !== 204) {
    list.push('Content-Type', contentType);
    if (length !== undefined) list.push('Content-Length', String(length));
  }
  if (limits !== undefined) {
    list.push('RateLimit-Policy', limits.policy, 'RateLimit', limits.left);
  }
  for (const name in ofExchange) {
    if (headers?.[name] === undefined) list.push(name, ofExchange[name] as string);
  }
  for (const name in headers) list.push(name, headers[name] as string);
  response.writeHead(status, list);
}

/** Ends an answer whose head was sent, with the rest of it. */
export function endReply(
  request: IncomingMessage,
  response: ServerResponse,
  rest: string | Buffer,
): void {
  if (stillSending(request)) endAfterClient(request, response, rest);
  else endAtOnce(response, rest);
}

/**
 * Passed to `end`, the rest would go out as two pieces, the second one empty: that is a system call for several
 * buffers, a sixth of the time that node:http takes for an answer.
 */
function endAtOnce(response: ServerResponse, rest: string | Buffer): void {
  const { socket } = response;
  // A response that is waiting for its turn on the connection has no socket.
  if (socket === null || rest.length === 0) {
    response.end(rest);
    return;
  }
  socket.cork();
  response.write(rest);
  socket.uncork();
  response.end();
}

/** Whether the client is still sending a body that will not be read: then its connection cannot be kept. */
function stillSending(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > SKIPPABLE_BODY;
}

/**
 * Closing a connection while bytes still arrive resets it, and the client loses the answer. So the answer is sent
 * first, and the connection closes once the client has closed its side or taken too long.
 */
function endAfterClient(
  request: IncomingMessage,
  response: ServerResponse,
  rest: string | Buffer,
): void {
  response.flushHeaders();
  response.write(rest);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_TIME);
  request.once('close', end).once('end', end).resume();
}

/**
 * Ends the connection of an incomplete answer so that no client takes it for complete, and drops the data that the
 * system holds for it.
 */
export function cutReply(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.resetAndDestroy();
}
