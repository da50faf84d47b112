import type { IncomingMessage, ServerResponse } from 'node:http';
import { endReply, stillSending } from './end-reply.ts';
import type { ExchangeResponse } from './exchange.ts';
import type { ReplyHead, WholeReply } from './whole-reply.ts';

/** Sends the whole answer, or drops it when its client has left. */
export function sendReply(
  request: IncomingMessage,
  response: ExchangeResponse,
  reply: WholeReply,
): void {
  const { undelivered } = reply;
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
  beginReply(request, response, reply, Buffer.byteLength(reply.body));
  endReply(request, response, reply.body);
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

/**
 * Ends the connection of an incomplete answer so that no client takes it for complete, and drops the data that the
 * system holds for it.
 */
export function cutReply(response: ServerResponse): void {
  if (response.socket === null) response.destroy();
  else response.socket.resetAndDestroy();
}
